/**
 * Builds dist/, the compiled program of the npm package: the JavaScript and .d.ts of src/ and gen/, the data files that
 * the program reads by `new URL("./…", import.meta.url)`, and the built page of web/. `npm pack` runs it and removes
 * dist/ afterwards, so that a clone always runs its sources.
 *
 * The layout of the project is kept (dist/src, dist/gen, dist/package.json), so that relative URLs mean the same.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { commitOfClone } from "../src/version.ts";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
// In another folder first, so that a failed build never looks like a finished one.
const made = mkdtempSync(join(root, ".build-"));

try {
  if (compile(made)) {
    copyData(made);
    const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const commit = commitOfClone(pathToFileURL(`${root}/`));
    writeFileSync(join(made, "package.json"), `${JSON.stringify({ name, version, commit, type: "module" })}\n`);
    // The file that bin/modelscout.js starts.
    writeFileSync(join(made, "main.js"), 'import "./src/main.js";\n');
    rmSync(dist, { recursive: true, force: true });
    renameSync(made, dist);
  } else {
    // The compiler has printed the reason.
    process.exitCode = 1;
  }
} finally {
  rmSync(made, { recursive: true, force: true });
}

function compile(outDir: string): boolean {
  const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");
  const args = [tsc, "--project", join(root, "tsconfig.build.json"), "--outDir", outDir];
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status === 0;
}

function copyData(outDir: string): void {
  for (const folder of ["src", "gen"]) {
    cpSync(join(root, folder), join(outDir, folder), { recursive: true, filter: isNoSource });
  }
  cpSync(join(root, "web/dist"), join(outDir, "web/dist"), { recursive: true });
}

function isNoSource(path: string): boolean {
  return statSync(path).isDirectory() || !path.endsWith(".ts");
}
