/**
 * Adds to package-lock.json what a partial registry mirror left out: the optional packages of other platforms, without
 * which `npm ci` refuses the lock file everywhere, and the hashes of packages that have none. All of it comes from the
 * registry's own metadata:
 *   node scripts/complete-lock.ts [FOLDER]
 * Ends with status 1 and the names of the packages that the registry does not have; nothing is written of these.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type LockedPackage, lockedName, readLockFile, withoutHash } from "./lock-file.ts";

/** Fields of a package's metadata that a lock file repeats. */
const repeated = ["cpu", "libc", "license", "os", "engines"] as const;
/** The order in which npm writes the fields of a package. */
const fieldOrder = ["version", "integrity", "cpu", "dev", "libc", "license", "optional", "os", "engines"];

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, ".."));
const lock = readLockFile(folder);
const { packages } = lock;
/** Why nothing is known of a package, by its name and version. */
const unknown = new Map<string, string>();
let [added, hashed] = [0, 0];

for (const [path, locked] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
    const isLocked = packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
    // A range has to be resolved by npm.
    if (isLocked !== undefined || !/^\d/.test(version)) {
      continue;
    }
    const described = describe(name, version);
    if (described === undefined) {
      continue;
    }
    packages[`node_modules/${name}`] = inOrder({ ...described, ...(locked.dev && { dev: true }), optional: true });
    added++;
  }
}
const unhashed = withoutHash(packages);
const missing = new Set([...unhashed.awaited, ...unhashed.faults]);
for (const [path, locked] of Object.entries(packages)) {
  const name = lockedName(path, locked);
  if (!path.includes("node_modules/") || !missing.has(`${name}@${locked.version}`)) {
    continue;
  }
  const described = describe(name, locked.version as string);
  if (described === undefined) {
    continue;
  }
  packages[path] = inOrder({ ...locked, ...described });
  hashed++;
}

const [root, ...rest] = Object.entries(packages);
lock.packages = Object.fromEntries([
  root as [string, LockedPackage],
  ...rest.sort(([a], [b]) => a.localeCompare(b, "en")),
]);
writeFileSync(join(folder, "package-lock.json"), `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${added} packages, and the hashes of ${hashed} more`);
for (const [each, why] of unknown) {
  console.error(`Error: nothing was written of ${each}: ${why}`);
}
if (unknown.size > 0) {
  process.exitCode = 1;
}

/**
 * What the registry says of a version, in the form of the lock file. The archive's address is left out, as npm leaves it
 * out here: it names a registry, and the hash is enough. Undefined where the registry has no such version.
 */
function describe(name: string, version: string): LockedPackage | undefined {
  const fields = ["name", "version", "dist.integrity", ...repeated];
  const { stdout } = spawnSync("npm", ["view", `${name}@${version}`, "--json", ...fields], {
    encoding: "utf8",
    // npm is a script on Windows.
    shell: process.platform === "win32",
  });
  const told = (stdout.trim() === "" ? {} : JSON.parse(stdout)) as Record<string, unknown>;
  const integrity = told["dist.integrity"];
  if (told.name !== name || told.version !== version || typeof integrity !== "string") {
    const { summary = "the registry told no hash" } = (told.error ?? {}) as { summary?: string };
    unknown.set(`${name}@${version}`, summary);
    return undefined;
  }
  const facts = repeated.flatMap((field) => (told[field] === undefined ? [] : [[field, listed(field, told[field])]]));
  return { version, integrity, ...Object.fromEntries(facts) };
}

/** `npm view` tells a list of one as the one. */
function listed(field: string, value: unknown): unknown {
  return ["cpu", "libc", "os"].includes(field) ? [value].flat() : value;
}

function inOrder(locked: LockedPackage): LockedPackage {
  const place = (field: string) => (fieldOrder.includes(field) ? fieldOrder.indexOf(field) : fieldOrder.length);
  return Object.fromEntries(Object.entries(locked).sort(([a], [b]) => place(a) - place(b)));
}
