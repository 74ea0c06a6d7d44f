// Adds to package-lock.json the optional packages of other platforms that a partial registry mirror left out, without
// which `npm ci` refuses the lock file everywhere. Needed only where `npm install` ran against such a mirror:
//   node scripts/complete-lock.ts
import { readFileSync, writeFileSync } from "node:fs";

interface LockedPackage {
  version?: string;
  dev?: boolean;
  optionalDependencies?: Record<string, string>;
}

const systems = ["android", "darwin", "linux", "win32", "freebsd", "openharmony", "openbsd", "netbsd", "sunos", "aix"];
const processors: Readonly<Record<string, string>> = {
  arm64: "arm64",
  x64: "x64",
  ia32: "ia32",
  arm: "arm",
  armv7: "arm",
  ppc64: "ppc64",
  riscv64: "riscv64",
  s390x: "s390x",
  wasm32: "wasm32",
  loong64: "loong64",
};

const file = new URL("../package-lock.json", import.meta.url);
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, "utf8"));
let added = 0;
for (const [key, locked] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(locked.optionalDependencies ?? {})) {
    const known = lock.packages[`${key}/node_modules/${name}`] ?? lock.packages[`node_modules/${name}`];
    if (known?.version !== undefined) continue;
    const parts = (name.split("/").at(-1) as string).split("-");
    const os = parts.find((part) => systems.includes(part));
    const cpu = parts.map((part) => processors[part]).find(Boolean);
    if (!/^\d/.test(version) || os === undefined || cpu === undefined) {
      console.log(`left alone: ${name}@${version}`);
      continue;
    }
    const libc = parts.some((part) => part.startsWith("musl"))
      ? "musl"
      : parts.some((part) => part.startsWith("gnu"))
        ? "glibc"
        : undefined;
    lock.packages[`node_modules/${name}`] = {
      version,
      ...{ cpu: [cpu], ...(locked.dev && { dev: true }), ...(libc && { libc: [libc] }), optional: true, os: [os] },
    };
    added++;
  }
}
const [root, ...rest] = Object.entries(lock.packages);
lock.packages = Object.fromEntries([
  root as [string, LockedPackage],
  ...rest.sort(([a], [b]) => a.localeCompare(b, "en")),
]);
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`added ${added}`);
