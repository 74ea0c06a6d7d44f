import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The fields of a package in package-lock.json that scripts need. */
export interface LockedPackage {
  name?: string;
  version?: string;
  /** The hash of its archive. npm installs only an archive with this hash. */
  integrity?: string;
  resolved?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  engines?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

/** Reads package-lock.json of a folder. */
export function readLockFile(folder: string): LockFile {
  return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as LockFile;
}

/** The name of the package at a path of the lock file. */
export function lockedName(path: string, { name }: LockedPackage): string {
  return name ?? (path.split("node_modules/").at(-1) as string);
}

/**
 * Packages for other platforms whose hashes are unknown, because the registry behind the lock file lacked their
 * versions. `node scripts/dependencies/complete-lock.ts` with a complete registry adds the hashes; then remove their row here. A row
 * does not cover other versions.
 */
const awaited: ReadonlyArray<{ name: RegExp; version: string }> = [
  { name: /^@lancedb\/lancedb-(?:darwin-arm64|linux-arm64-(?:gnu|musl)|win32-(?:arm64|x64)-msvc)$/, version: "0.39.0" },
  { name: /^@biomejs\/cli-(?:android|darwin|linux|win32)-[\w-]+$/, version: "2.6.8" },
  { name: /^@bufbuild\/buf-(?:darwin|linux|win32)-[\w-]+$/, version: "1.75.0" },
  { name: /^@oxc-parser\/binding-[\w-]+$/, version: "0.156.0" },
];

/** The packages of a lock file that npm would install without checking a hash, as `name@version`. */
export interface Unhashed {
  /** Packages whose hashes are listed as unknown. */
  awaited: string[];
  /** All other packages. */
  faults: string[];
}

/** Finds packages from a registry that have no hash. Packages in folders of this project need none. */
export function withoutHash(packages: LockFile["packages"]): Unhashed {
  const found: Unhashed = { awaited: [], faults: [] };
  for (const [path, locked] of Object.entries(packages)) {
    const isLocal = path === "" || locked.link === true || !path.includes("node_modules/");
    if (isLocal || /^sha(?:512|384|256)-\S+$/.test(locked.integrity ?? "")) {
      continue;
    }
    const name = lockedName(path, locked);
    const isAwaited = awaited.some((row) => row.name.test(name) && row.version === locked.version);
    found[isAwaited ? "awaited" : "faults"].push(`${name}@${locked.version}`);
  }
  return found;
}

/**
 * The paths of packages whose install scripts `allowScripts` of a folder's package.json denies, although the lock file
 * names them. onnxruntime-node, for example, would download hundreds of megabytes for graphics cards.
 */
export function deniedScripts(folder: string, packages: LockFile["packages"]): string[] {
  const file = join(folder, "package.json");
  const { allowScripts = {} } = existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { allowScripts?: Record<string, boolean> })
    : {};
  return Object.entries(packages)
    .filter(([path, locked]) => locked.hasInstallScript === true && allowScripts[lockedName(path, locked)] === false)
    .map(([path]) => path);
}
