import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const src = resolve(import.meta.dirname, "../src");
const root = resolve(src, "..");

/**
 * The folders and root files of src/ from top to bottom. A file may import from its own folder and from those below;
 * everything may import gen/. See CONTRIBUTING.md for what each is for.
 */
const layers = [
  "main.ts",
  "cli",
  "app.ts",
  "observation.ts",
  "read-gauges.ts",
  "service-readiness.ts",
  "server",
  "rpc",
  "background",
  "open-inventory.ts",
  // Figures of any service; what they are read from is the app's.
  "observe",
  "interests",
  "recommend",
  "sync",
  "sources",
  "inventory",
  "batches",
  "webhooks",
  "access",
  "store",
  "embedding",
  "hardware",
  "config.ts",
  "read-otel.ts",
  "version.ts",
  "error.ts",
  "nearest.ts",
  "hide-keys.ts",
  "source-names.ts",
  // What the package exports; browsers load it.
  "client.ts",
  // Describes what transcoding serves, for any services.
  "openapi",
  // Imports nothing of ours but gen/google: it is to become a package of its own.
  "transcoding",
];

/** Imports that the list alone would allow, and which must not be. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  // Only what is generated; see the listing below.
  transcoding: layers,
  "client.ts": layers,
  openapi: layers.filter((layer) => !["openapi", "transcoding"].includes(layer)),
  hardware: layers.filter((layer) => layer !== "hardware"),
  embedding: layers.filter((layer) => !["embedding", "error.ts"].includes(layer)),
  // The configuration is read by those who start the program.
  recommend: ["config.ts"],
  inventory: ["config.ts"],
  access: layers.filter((layer) => !["access", "store", "error.ts"].includes(layer)),
  webhooks: layers.filter((layer) => !["webhooks", "store", "error.ts"].includes(layer)),
  store: layers.filter((layer) => !["store", "error.ts"].includes(layer)),
  sources: ["config.ts", "embedding"],
  sync: ["config.ts", "embedding"],
};

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(folder, file));
}

function layerOf(file: string): string {
  return relative(src, file).split("/")[0] as string;
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  const specifiers = [...text.matchAll(/(?:from|import|import\(|new URL\()\s*"(\.[^"]+\.ts)"/g)].map(
    (m) => m[1] as string,
  );
  return specifiers.map((specifier) => resolve(dirname(file), specifier));
}

test("imports point downward", () => {
  const wrong: string[] = [];
  const unlisted = new Set<string>();
  for (const file of filesBelow(src)) {
    const from = layerOf(file);
    if (!layers.includes(from)) unlisted.add(from);
    for (const target of importsOf(file)) {
      if (target.startsWith(join(root, "gen"))) {
        if (["openapi", "transcoding"].includes(from) && !target.includes("/gen/google/"))
          wrong.push(`${relative(root, file)} -> ${relative(root, target)}`);
        continue;
      }
      const to = layerOf(target);
      const isDown = layers.indexOf(to) >= layers.indexOf(from);
      const isForbidden = to !== from && forbidden[from]?.includes(to) === true;
      if (!isDown || isForbidden) wrong.push(`${relative(root, file)} -> ${relative(root, target)}`);
    }
  }
  expect([...unlisted], "folders of src/ that the list does not have").toEqual([]);
  expect(wrong, "imports that point upward").toEqual([]);
});

test("the list of layers names nothing that is gone", () => {
  const present = new Set(readdirSync(src));
  expect(layers.filter((layer) => !present.has(layer))).toEqual([]);
});
