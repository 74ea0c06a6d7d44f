/**
 * The architecture as a list: the folders of src/ from top to bottom. test/house/layout.test.ts checks the imports, and
 * `node scripts/architecture/layers.ts` draws the picture in docs/architecture.md from it and from the imports.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** A folder or a file at the root of src/, or a package of packages/ that the service imports. */
export interface Layer {
  name: string;
  /** Its box in the picture. */
  group: string;
  /** What it does, in a few words. */
  purpose: string;
}

/** From top to bottom. A layer may import itself and those below it. */
export const layers: readonly Layer[] = [
  { name: "main.ts", group: "Process", purpose: "starts the program" },
  { name: "cli", group: "Process", purpose: "commands, tables, progress bars" },
  { name: "app", group: "Process", purpose: "wires the parts, background process" },
  { name: "server", group: "Serving", purpose: "the port, identity, limits, errors, docs" },
  { name: "mcp", group: "Serving", purpose: "methods of the contract as tools for agents" },
  { name: "rpc", group: "Serving", purpose: "one service a folder: messages to domain calls" },
  { name: "observe", group: "Serving", purpose: "metrics and traces" },
  { name: "interests", group: "Domain", purpose: "what customers wait for, and its matches" },
  { name: "recommend", group: "Domain", purpose: "understand, retrieve, score, explain" },
  { name: "sync", group: "Domain", purpose: "runs a source into the inventory" },
  { name: "sources", group: "Domain", purpose: "where models come from" },
  { name: "inventory", group: "Domain", purpose: "the LanceDB table of models" },
  { name: "batches", group: "Domain", purpose: "thousands of needs in the background" },
  { name: "webhooks", group: "Domain", purpose: "signed events to customers" },
  { name: "access", group: "Domain", purpose: "keys, tiers, quotas, audit" },
  { name: "store", group: "Foundation", purpose: "SQLite or PostgreSQL, tables, migrations" },
  { name: "embedding", group: "Foundation", purpose: "text to vectors" },
  { name: "hardware", group: "Foundation", purpose: "memory and speed estimates" },
  { name: "catalogue", group: "Foundation", purpose: "what each model is for, in our words" },
  { name: "evaluations", group: "Foundation", purpose: "leaderboards, and what they measured" },
  { name: "config", group: "Foundation", purpose: "settings from the environment" },
  { name: "version.ts", group: "Foundation", purpose: "the version" },
  { name: "error.ts", group: "Foundation", purpose: "the table of errors" },
  { name: "text", group: "Foundation", purpose: "nearest names, hidden keys, Retry-After" },
  { name: "pace", group: "Foundation", purpose: "waiting, stopping, letting calls go first" },
  { name: "openapi", group: "Libraries", purpose: "OpenAPI from descriptors" },
  { name: "packages/connect-transcoding", group: "Libraries", purpose: "REST from google.api.http" },
];

const names = layers.map(({ name }) => name);

/** Forbidden imports that the order alone would allow. */
export const forbidden: Readonly<Record<string, readonly string[]>> = {
  // Libraries know nothing of models; they import gen/google at most.
  openapi: names.filter((name) => !["openapi", "packages/connect-transcoding"].includes(name)),
  pace: names.filter((name) => name !== "pace"),
  hardware: names.filter((name) => !["hardware", "text"].includes(name)),
  catalogue: names.filter((name) => name !== "catalogue"),
  evaluations: names.filter((name) => !["evaluations", "text"].includes(name)),
  embedding: names.filter((name) => !["embedding", "error.ts"].includes(name)),
  // Only the layers that start the program read the configuration.
  recommend: ["config"],
  inventory: ["config"],
  sources: ["config", "embedding"],
  sync: ["config", "embedding"],
  // Users of the state know the store and nothing of models.
  access: names.filter((name) => !["access", "store", "error.ts"].includes(name)),
  webhooks: names.filter((name) => !["webhooks", "store", "error.ts", "pace", "text"].includes(name)),
  store: names.filter((name) => !["store", "error.ts"].includes(name)),
};

/**
 * Further entries of a layer: a folder by its index.ts, or a file that is imported only when it is used, because it
 * loads much.
 */
export const innerFaces: readonly string[] = ["store/tables", "observe/open-telemetry.ts"];

/** Files with lists of words for the help of commands. They import nothing, so that help loads nothing heavy. */
export const vocabularies: readonly string[] = [
  "access/caller.ts",
  "batches/batch.ts",
  "config/source-names.ts",
  "webhooks/delivery/delivery.ts",
];

/** One import of a file of src/ by another, both relative to src/. */
export interface Import {
  from: string;
  to: string;
  /** Whether it imports only types. */
  isType: boolean;
}

export const root = resolve(import.meta.dirname, "../..");
export const src = join(root, "src");

/** The files of src/, relative to it. */
export function sourceFiles(): string[] {
  return readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .sort();
}

/** The imports of a file of src/. Imports of gen/ begin with "../gen/", those of packages with "../packages/". */
export function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), "utf8");
  const statements = text.matchAll(
    /(?:^(?:import|export)\s+(type\s)?[^;"]*?from|^import|import\(|new URL\()\s*"(\.[^"]+\.tsx?)"/gm,
  );
  return [...statements].map(([, type, specifier]) => ({
    from: file,
    to: relative(src, resolve(src, dirname(file), specifier as string)),
    isType: type !== undefined,
  }));
}

/** The layer of a file, relative to src/: its first folder, itself at the root, or its package. */
export function layerOf(file: string): string {
  return /^\.\.\/(packages\/[^/]+)/.exec(file)?.[1] ?? (file.split("/")[0] as string);
}

/** Draws the picture in Mermaid: a box for each layer, and an arrow for each import that no path of arrows shows. */
export function drawLayers(): string {
  const uses = new Map(names.map((name) => [name, new Set<string>()]));
  for (const file of sourceFiles()) {
    for (const { to } of importsOf(file)) {
      if (!to.startsWith("../gen/") && layerOf(to) !== layerOf(file)) {
        uses.get(layerOf(file))?.add(layerOf(to));
      }
    }
  }
  const reaches = (from: string, to: string): boolean =>
    [...(uses.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const id = (name: string) => name.replace(".ts", "").replace("packages/", "");
  const lines = ["flowchart TD"];
  for (const group of new Set(layers.map((layer) => layer.group))) {
    lines.push(`  subgraph ${group}`);
    for (const { name, purpose } of layers.filter((layer) => layer.group === group)) {
      lines.push(`    ${id(name)}["<b>${name}</b><br>${purpose}"]`);
    }
    lines.push("  end");
  }
  // Nearly everything uses these; their arrows would hide the others.
  const everywhere = new Set(["error.ts", "version.ts", "text", "config", "pace"]);
  for (const name of names.filter((each) => !everywhere.has(each))) {
    const direct = [...(uses.get(name) ?? [])].filter((to) => !everywhere.has(to));
    const shown = direct.filter((to) => !direct.some((other) => other !== to && reaches(other, to)));
    for (const to of shown.sort((a, b) => names.indexOf(a) - names.indexOf(b))) {
      lines.push(`  ${id(name)} --> ${id(to)}`);
    }
  }
  return lines.join("\n");
}

/** The document with the picture, and the pattern of the picture. */
export const architecturePage = join(root, "docs/architecture.md");
export const picture = /(?<=<!-- layers -->\n```mermaid\n)[\s\S]*?(?=\n```)/;

if (import.meta.main) {
  writeFileSync(architecturePage, readFileSync(architecturePage, "utf8").replace(picture, drawLayers()));
}
