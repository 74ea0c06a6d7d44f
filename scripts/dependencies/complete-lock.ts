/**
 * Completes a package-lock.json that was made with a partial registry mirror: adds the optional packages of other
 * platforms, without which `npm ci` refuses the lock file everywhere, and missing hashes. All data is from the
 * registry's metadata:
 *   node scripts/dependencies/complete-lock.ts [FOLDER]
 * Ends with status 1 and the names of the packages that the registry lacks; nothing is written for these.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type LockedPackage, lockedName, readLockFile, withoutHash } from "./lock-file.ts";

/** Fields of a package's metadata that a lock file has too. */
const repeated = ["cpu", "libc", "license", "os", "engines"] as const;
/** The order in which npm writes the fields of a package. */
const fieldOrder = ["version", "integrity", "cpu", "dev", "libc", "license", "optional", "os", "engines"];

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."));
const lock = readLockFile(folder);
const { packages } = lock;
/** Why the registry has no data for a package, by its name and version. */
const unknown = new Map<string, string>();
let [added, hashed] = [0, 0];

for (const [path, locked] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
    const isLocked = packages[`${path}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
    // npm has to resolve a range.
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
  console.error(`Error: nothing was written for ${each}: ${why}`);
}
if (unknown.size > 0) {
  process.exitCode = 1;
}

/**
 * Reads the registry's data about a version, in the format of the lock file; undefined if the registry lacks it. The
 * archive's address is left out, as in the rest of the file: it names a registry, and the hash is enough.
 */
function describe(name: string, version: string): LockedPackage | undefined {
  const fields = ["name", "version", "dist.integrity", ...repeated];
  const { stdout } = spawnSync("npm", ["view", `${name}@${version}`, "--json", ...fields], {
    encoding: "utf8",
    // npm is a script on Windows.
    shell: process.platform === "win32",
  });
  const metadata = (stdout.trim() === "" ? {} : JSON.parse(stdout)) as Record<string, unknown>;
  const integrity = metadata["dist.integrity"];
  if (metadata.name !== name || metadata.version !== version || typeof integrity !== "string") {
    const { summary = "the registry has no hash" } = (metadata.error ?? {}) as { summary?: string };
    unknown.set(`${name}@${version}`, summary);
    return undefined;
  }
  const facts = repeated.flatMap((field) =>
    metadata[field] === undefined ? [] : [[field, listed(field, metadata[field])]],
  );
  return { version, integrity, ...Object.fromEntries(facts) };
}

/** `npm view` prints a list with one entry as that entry. */
function listed(field: string, value: unknown): unknown {
  return ["cpu", "libc", "os"].includes(field) ? [value].flat() : value;
}

function inOrder(locked: LockedPackage): LockedPackage {
  const place = (field: string) => (fieldOrder.includes(field) ? fieldOrder.indexOf(field) : fieldOrder.length);
  return Object.fromEntries(Object.entries(locked).sort(([a], [b]) => place(a) - place(b)));
}
