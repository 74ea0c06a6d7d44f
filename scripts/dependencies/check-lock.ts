/**
 * Checks that npm compares every package from a registry with a hash before it installs it:
 *   node scripts/dependencies/check-lock.ts [FOLDER]
 * Reads package-lock.json of the folder (default: this project). Ends with status 1 and the names of the packages
 * without a hash, and of those whose install scripts package.json denies but the lock file still names: npm before 11.16
 * reads only the latter. Warns of packages whose hashes are known to be missing (see lock-file.ts).
 */
import { join, resolve } from "node:path";
import { deniedScripts, readLockFile, withoutHash } from "./lock-file.ts";

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."));
const { packages } = readLockFile(folder);
const { awaited, faults } = withoutHash(packages);
const denied = deniedScripts(folder, packages);
if (awaited.length > 0) {
  console.warn(`Warning: ${awaited.length} packages for other platforms have no hash yet: ${awaited.join(", ")}`);
}
for (const fault of faults) {
  console.error(`Error: ${fault} has no hash in package-lock.json`);
}
if (faults.length > 0) {
  console.error("node scripts/dependencies/complete-lock.ts adds the registry's hashes.");
  process.exitCode = 1;
}
for (const path of denied) {
  console.error(`Error: ${path} has hasInstallScript in package-lock.json, but allowScripts of package.json denies it`);
}
if (denied.length > 0) {
  console.error("Remove hasInstallScript from these entries: without it no npm runs their scripts.");
  process.exitCode = 1;
}
