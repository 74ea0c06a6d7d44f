/**
 * Builds dist/ of a package in packages/, in whose folder it runs: the JavaScript and .d.ts of its exports. `npm pack`
 * runs it and removes dist/ afterwards. Generated code that the package imports becomes a part of it, in dist/gen: from
 * gen/, or as the package's own buf.gen.yaml says.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const folder = process.cwd();
// In another folder first, so that a failed build never looks like a finished one.
const made = mkdtempSync(join(folder, ".build-"));
const sources = join(made, "src");

try {
  cpSync(join(folder, "src"), sources, { recursive: true });
  copyGenerated();
  for (const file of readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" })) {
    if (file.endsWith(".ts")) {
      const code = readFileSync(join(sources, file), "utf8");
      writeFileSync(join(sources, file), withOwnGenerated(code, file));
    }
  }
  if (compile()) {
    rmSync(join(folder, "dist"), { recursive: true, force: true });
    renameSync(join(made, "dist"), join(folder, "dist"));
  } else {
    // The compiler has printed the reason.
    process.exitCode = 1;
  }
} finally {
  rmSync(made, { recursive: true, force: true });
}

function copyGenerated(): void {
  const template = join(folder, "buf.gen.yaml");
  if (!existsSync(template)) {
    cpSync(join(root, "gen"), join(sources, "gen"), { recursive: true });
    return;
  }
  const buf = join(dirname(createRequire(import.meta.url).resolve("@bufbuild/buf/package.json")), "bin", "buf");
  const args = [buf, "generate", "--template", template, "--output", sources];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    throw new Error("buf generate failed");
  }
}

/** Replaces the paths to the project's gen/ by paths to the copy in the package. */
function withOwnGenerated(code: string, file: string): string {
  return code.replace(/"((?:\.\.\/)+gen\/[^"]+)"/g, (_all, path: string) => {
    const place = dirname(join(folder, "src", file));
    const inGen = relative(join(root, "gen"), resolve(place, path)).replaceAll("\\", "/");
    const up = relative(dirname(file), "gen").replaceAll("\\", "/");
    return `"${up.startsWith(".") ? up : `./${up}`}/${inGen}"`;
  });
}

/** Compiles what the package's exports need, and nothing else. */
function compile(): boolean {
  const project = join(made, "tsconfig.json");
  const { exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    exports: Record<string, string | { default: string }>;
  };
  const files = Object.values(exports)
    .map((target) => (typeof target === "string" ? target : target.default))
    .flatMap((target) => /^\.\/dist\/(.+)\.js$/.exec(target)?.[1] ?? [])
    .map((name) => `src/${name}.ts`);
  const compilerOptions = { rootDir: "src", outDir: "dist" };
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, "tsconfig.build.json"), compilerOptions, files, include: [] }),
  );
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  return spawnSync(process.execPath, [tsc, "--project", project], { cwd: folder, stdio: "inherit" }).status === 0;
}
