/**
 * Writes npm-shrinkwrap.json, the lock file that the package of the service carries (npm runs it as `prepack`). Whoever
 * installs the package then gets the versions and hashes that package-lock.json names. It also keeps the effect of
 * `overrides`, which npm reads only in the project that it installs: without it, LanceDB would bring an old
 * transformers.js and onnxruntime, several hundred megabytes that the service never loads.
 *
 * It is package-lock.json without development packages and without our own packages in packages/.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLockFile } from "./lock-file.ts";

const root = join(import.meta.dirname, "../..");
const lock = readLockFile(root);
const { devDependencies: _, workspaces: __, ...project } = lock.packages[""] as Record<string, unknown>;
const shipped = Object.entries(lock.packages).filter(
  ([path, { dev, link }]) => path.startsWith("node_modules/") && dev !== true && link !== true,
);
const packages = { "": project, ...Object.fromEntries(shipped) };
writeFileSync(join(root, "npm-shrinkwrap.json"), `${JSON.stringify({ ...lock, packages }, null, 2)}\n`);
