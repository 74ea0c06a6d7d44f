/**
 * Checks that every package that the program needs, on any platform, has a licence that allows redistribution:
 *   node scripts/dependencies/check-licenses.ts [FOLDER]
 * Reads package-lock.json of the folder (default: this project), and if that has no licence, the installed package.
 * Ends with status 1 and the names of the packages without such a licence or without a hash.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import satisfies from "spdx-satisfies";
import { lockedName, readLockFile, withoutHash } from "./lock-file.ts";

/** SPDX names of licences that require only that their text is kept. */
const allowed = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "Unlicense",
  "Zlib",
];

/** Packages that are allowed for the reason given here. */
const exceptions: ReadonlyArray<{ name: RegExp; license: string; why: string }> = [
  {
    name: /^@lancedb\/lancedb-[\w-]+$/,
    license: "Apache-2.0",
    why: "parts of @lancedb/lancedb for one platform each; a lock file made on another platform has fewer facts about them",
  },
];

const folder = resolve(process.argv[2] ?? join(import.meta.dirname, "../.."));
const { packages } = readLockFile(folder);

const counts = new Map<string, number>();
const faults: string[] = [];
for (const [path, locked] of Object.entries(packages)) {
  if (path === "" || locked.dev) {
    continue;
  }
  const name = lockedName(path, locked);
  const exception = exceptions.find((each) => each.name.test(name));
  const license = locked.license ?? licenseOfInstalled(path) ?? exception?.license;
  if (license !== undefined) {
    counts.set(license, (counts.get(license) ?? 0) + 1);
  }
  const fault = faultOf(license, allowed);
  if (fault !== undefined) {
    faults.push(`${name} ${locked.version ?? ""} ${fault}`);
  }
}

// A hash ensures that npm installs the package whose licence was read.
const shipped = Object.fromEntries(Object.entries(packages).filter(([, { dev }]) => !dev));
const unhashed = withoutHash(shipped);
for (const each of unhashed.awaited) {
  console.warn(`Warning: ${each} has no hash in package-lock.json yet`);
}
faults.push(...unhashed.faults.map((each) => `${each} has no hash in package-lock.json`));

for (const [license, count] of [...counts].sort(([, a], [, b]) => b - a)) {
  console.log(`${count}\t${license}`);
}
if (faults.length > 0) {
  for (const fault of faults) {
    console.error(`Error: ${fault}`);
  }
  console.error(`Allowed are ${allowed.join(", ")}.`);
  process.exitCode = 1;
}

/** Reads the licence of an installed package; older ones have a list. */
function licenseOfInstalled(path: string): string | undefined {
  const file = join(folder, path, "package.json");
  if (!existsSync(file)) {
    return undefined;
  }
  const { license, licenses } = JSON.parse(readFileSync(file, "utf8")) as {
    license?: string | { type?: string };
    licenses?: Array<{ type?: string }>;
  };
  if (typeof license === "string") {
    return license;
  }
  const types = [license, ...(licenses ?? [])].flatMap((each) => each?.type ?? []);
  return types.length > 0 ? types.join(" OR ") : undefined;
}

function faultOf(license: string | undefined, among: string[]): string | undefined {
  if (license === undefined) {
    return "declares no licence";
  }
  try {
    return satisfies(license, among) ? undefined : `has the licence ${license}`;
  } catch {
    return `has a licence that is not an SPDX expression: ${license}`;
  }
}
