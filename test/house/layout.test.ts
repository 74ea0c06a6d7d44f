import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import {
  architecturePage,
  drawLayers,
  forbidden,
  importsOf,
  innerFaces,
  layerOf,
  layers,
  picture,
  sourceFiles,
  src,
  vocabularies,
} from "../../scripts/architecture/layers.ts";

const names = layers.map(({ name }) => name);
const files = sourceFiles();
const imports = files.flatMap(importsOf);
const inside = imports.filter(({ to }) => !to.startsWith("../gen/"));
const asText = ({ from, to }: { from: string; to: string }) => `${from} -> ${to}`;

/** The files of code below a folder of the project, relative to it. */
function codeFiles(root: string): string[] {
  return readdirSync(join(src, "..", root), { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.tsx?$/.test(name) && !/(^|\/)(node_modules|dist|gen)\//.test(name),
  );
}

test("every folder and root file of src/ is a layer, and every layer exists", () => {
  const isPackage = (name: string) => name.startsWith("packages/");
  expect(readdirSync(src).sort()).toEqual(names.filter((name) => !isPackage(name)).sort());
  const packages = readdirSync(join(src, "../packages")).map((name) => `packages/${name}`);
  expect(packages).toEqual(expect.arrayContaining(names.filter(isPackage)));
});

test("imports point downward", () => {
  const wrong = inside.filter(({ from, to }) => {
    const [upper, lower] = [layerOf(from), layerOf(to)];
    const isDown = names.indexOf(lower) >= names.indexOf(upper);
    const isForbidden = upper !== lower && !vocabularies.includes(to) && forbidden[upper]?.includes(lower) === true;
    return !isDown || isForbidden;
  });
  expect(wrong.map(asText)).toEqual([]);
});

test("libraries import only google's own types from gen/", () => {
  const wrong = imports.filter(
    ({ from, to }) => layerOf(from) === "openapi" && to.startsWith("../gen/") && !to.startsWith("../gen/google/"),
  );
  expect(wrong.map(asText)).toEqual([]);
});

test("a folder is entered through its index.ts, a package through the files that its exports name", () => {
  const folders = [...names, ...innerFaces].map((name) => (name.endsWith(".ts") ? name : `${name}/index.ts`));
  const entries = names.filter((name) => name.startsWith("packages/")).flatMap(entriesOf);
  const faces = new Set([...folders, ...entries]);
  const wrong = inside.filter(
    ({ from, to }) => layerOf(from) !== layerOf(to) && !faces.has(to) && !vocabularies.includes(to),
  );
  expect(wrong.map(asText)).toEqual([]);
});

/** The source files, relative to src/, of what a package exports. */
function entriesOf(name: string): string[] {
  const { exports } = JSON.parse(readFileSync(join(src, "..", name, "package.json"), "utf8"));
  const built = Object.values(exports as Record<string, { default?: string }>).map((entry) => entry.default ?? "");
  return built
    .filter((path) => path.startsWith("./dist/"))
    .map((path) => `../${name}/${path.replace("./dist/", "src/").replace(/\.js$/, ".ts")}`);
}

test("vocabularies load nothing", () => {
  const loaded = imports.filter(({ from, isType }) => vocabularies.includes(from) && !isType);
  expect(loaded.map(asText)).toEqual([]);
});

test.each(["src", "packages", "test", "web/src", "training", "bench", "eval", "scripts", "torture"])(
  "there are no import cycles in %s/, except for the types of the store's tables",
  (root) => {
    const files = codeFiles(root).map((file) => relative(src, join(src, "..", root, file)));
    const uses = new Map(files.map((file) => [file, importsOf(file).map(({ to }) => to)]));
    const isStoreType = (from: string, to: string) =>
      ["store/database.ts", "store/store.ts"].includes(to) && importsOf(from).some((it) => it.to === to && it.isType);
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]) => {
      const at = way.indexOf(file);
      if (at !== -1) {
        circles.push([...way.slice(at), file].join(" -> "));
      }
      if (at !== -1 || done.has(file)) {
        return;
      }
      for (const to of uses.get(file) ?? []) {
        if (!isStoreType(file, to)) {
          visit(to, [...way, file]);
        }
      }
      done.add(file);
    };
    for (const file of files) {
      visit(file, []);
    }
    expect(circles).toEqual([]);
  },
);

test("packages import their own files and gen/, never the service", () => {
  const folder = join(src, "../packages");
  const wrong: string[] = [];
  for (const name of readdirSync(folder)) {
    for (const file of readdirSync(join(folder, name, "src"), { recursive: true, encoding: "utf8" })) {
      const path = join(folder, name, "src", file);
      const code = file.endsWith(".ts") ? readFileSync(path, "utf8") : "";
      for (const [, specifier = ""] of code.matchAll(/"(\.\.?\/[^"]+\.ts)"/g)) {
        const to = relative(join(src, ".."), resolve(dirname(path), specifier));
        // Only the client is of this service; the others get nothing but google's own types.
        const generated = name === "client" ? "gen/" : "gen/google/";
        if (!to.startsWith(`packages/${name}/src/`) && !to.startsWith(generated)) {
          wrong.push(`packages/${name}/src/${file} -> ${to}`);
        }
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("packages have the version and the licence of the project", () => {
  const root = join(src, "..");
  const read = (folder: string) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
  const { version, license } = read(".");
  for (const name of readdirSync(join(root, "packages"))) {
    expect(read(`packages/${name}`), name).toMatchObject({ version, license });
    expect(readFileSync(join(root, "packages", name, "LICENSE"), "utf8")).toBe(
      readFileSync(join(root, "LICENSE"), "utf8"),
    );
  }
});

test.each(["src", "packages", "test", "web/src", "training", "bench", "eval", "scripts", "torture"])(
  "a folder of %s/ has at most 15 entries, not counting data files",
  (root) => {
    const top = join(src, "..", root);
    const entries = (folder: string) =>
      readdirSync(folder).filter((name) => !name.endsWith(".jsonl") && name !== "node_modules");
    const folders = readdirSync(top, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !`${entry.parentPath}/${entry.name}`.includes("/node_modules"))
      .map(({ parentPath, name }) => join(parentPath, name));
    // src/ has an entry for each layer, and test/ mirrors it.
    const all = ["src", "test"].includes(root) ? folders : [top, ...folders];
    expect(all.filter((folder) => entries(folder).length > 15)).toEqual([]);
  },
);

test.each(["src", "packages", "test", "web/src", "training"])(
  "fewer than a fifth of the files of %s/ have 40 lines or fewer: a small helper is in the file of its user",
  (root) => {
    // The examples of a package are short because its README shows them whole.
    const code = codeFiles(root).filter((name) => !/^[\w-]+\/examples\//.test(name));
    const lengths = code.map((name) => readFileSync(join(src, "..", root, name), "utf8").split("\n").length - 1);
    expect(lengths.filter((length) => length <= 40).length / lengths.length).toBeLessThan(0.2);
  },
);

test("src/ has at most 520 files, and half of them have 70 lines or more", () => {
  const lengths = codeFiles("src")
    .map((name) => readFileSync(join(src, name), "utf8").split("\n").length - 1)
    .sort((a, b) => a - b);
  expect(lengths.length).toBeLessThanOrEqual(520);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeGreaterThanOrEqual(70);
});

test("docs/architecture.md shows the present layers; `node scripts/architecture/layers.ts` draws them", () => {
  expect(picture.exec(readFileSync(architecturePage, "utf8"))?.[0]).toBe(drawLayers());
});
