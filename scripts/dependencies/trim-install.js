/**
 * Removes what this machine can never use from node_modules (npm runs it as the script `dependencies`, after each change of a clone's packages):
 * - onnxruntime-node holds the libraries of all platforms in one package. Those of other platforms go (about 240 MB).
 * - the npm package node holds the C headers of Node, which only the compilation of native packages reads. No package
 *   is compiled here (67 MB).
 * What is not installed is skipped. Plain JavaScript, since an installation without development packages runs it on the
 * machine's own Node.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const modules = resolve(import.meta.dirname, "../../node_modules");

/** The folders in a folder; none if it does not exist. */
function foldersOf(folder) {
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    : [];
}

/** Removes the folders in a folder, except the one that is named. If that one is missing, all stay. */
function keepOnly(folder, kept) {
  const names = foldersOf(folder);
  if (!names.includes(kept)) {
    return;
  }
  for (const name of names.filter((each) => each !== kept)) {
    rmSync(join(folder, name), { recursive: true });
  }
}

const runtimes = join(modules, "onnxruntime-node/bin");
for (const interfaceVersion of foldersOf(runtimes)) {
  keepOnly(join(runtimes, interfaceVersion), process.platform);
  keepOnly(join(runtimes, interfaceVersion, process.platform), process.arch);
}
const nodes = join(modules, "node/node_modules");
for (const name of foldersOf(nodes).filter((each) => each.startsWith("node-"))) {
  rmSync(join(nodes, name, "include"), { recursive: true, force: true });
}
