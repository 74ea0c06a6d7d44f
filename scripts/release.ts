/**
 * Makes the archives of a release from the present commit, and checks them:
 *   npm run release -- --dry-run     # keeps nothing
 *   npm run release                  # keeps them in release/, with their hashes and the bill of materials
 * It publishes nothing. Ends with status 1 and all that is wrong. Uncommitted changes are not in the archives; without
 * --dry-run they are refused, as are entries under "Unreleased".
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";

/** The largest archives in bytes: of the service, with its bundled data, and of another package. */
const MOST_BYTES = { service: 20e6, library: 200e3 };

/** An entry of the output of `npm pack --json`. */
interface Packed {
  name: string;
  version: string;
  filename: string;
  size: number;
  unpackedSize: number;
  files: Array<{ path: string }>;
}

const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({ options: { "dry-run": { type: "boolean" } } });
const isDry = values["dry-run"] === true;
const faults: string[] = [];

const temporary = mkdtempSync(join(tmpdir(), "modelscout-release-"));
const commit = join(temporary, "commit");
const made = join(temporary, "archives");
try {
  mkdirSync(made);
  run("git", ["worktree", "add", "--quiet", "--detach", commit, "HEAD"], root);
  symlinkSync(join(root, "node_modules"), join(commit, "node_modules"), "junction");
  checkProject();
  const packages = [".", ...readdirSync(join(commit, "packages")).map((name) => `packages/${name}`)];
  const packed = packages.map(pack);
  if (faults.length === 0 && !isDry) {
    keep();
  }
  console.table(
    Object.fromEntries(
      packed.map(({ name, version, size, unpackedSize, files }) => [
        name,
        { version, "archive kB": kilobytes(size), "unpacked kB": kilobytes(unpackedSize), files: files.length },
      ]),
    ),
  );
} finally {
  run("git", ["worktree", "remove", "--force", commit], root);
  rmSync(temporary, { recursive: true, force: true });
}
for (const fault of faults) {
  console.error(`Error: ${fault}`);
}
if (faults.length > 0) {
  process.exitCode = 1;
} else {
  console.log(isDry ? "All packages can be released." : "The archives are in release/.");
}

/** Checks versions, the changelog, the image of the contract, the lock file, and licences. */
function checkProject(): void {
  const { version } = readPackage(commit);
  for (const name of readdirSync(join(commit, "packages"))) {
    const own = readPackage(join(commit, "packages", name)).version;
    if (own !== version) {
      faults.push(`packages/${name} has version ${own}, and the project has ${version}`);
    }
  }
  const python = "clients/python/src/modelscout/version.py";
  if (!readFileSync(join(commit, python), "utf8").includes(`"${version}"`)) {
    faults.push(`${python} has not the project's version ${version}`);
  }
  const changelog = readFileSync(join(commit, "CHANGELOG.md"), "utf8");
  if (!changelog.includes(`\n## [${version}]`)) {
    faults.push(`CHANGELOG.md has no section for ${version}`);
  }
  const unreleased = changelog.split("\n## [Unreleased]")[1]?.split("\n## ")[0] ?? "";
  if (!isDry && /^- /m.test(unreleased)) {
    faults.push('CHANGELOG.md has entries under "Unreleased"; move them to the version');
  }
  if (!isDry && run("git", ["status", "--porcelain"], root) !== "") {
    faults.push("there are uncommitted changes");
  }
  if (!existsSync(join(commit, `proto/releases/${version}.binpb`))) {
    faults.push(`proto/releases has no image of the contract of ${version}`);
  }
  for (const script of ["scripts/dependencies/check-lock.ts", "scripts/dependencies/check-licenses.ts"]) {
    const { status, stderr } = spawnSync(process.execPath, [join(root, script), commit], {
      encoding: "utf8",
    });
    if (status !== 0) {
      faults.push(`${script} fails:\n${stderr}`);
    }
  }
}

/** Packs a folder and checks the archive's size and files. */
function pack(folder: string): Packed {
  const mostBytes = folder === "." ? MOST_BYTES.service : MOST_BYTES.library;
  const { files } = readPackage(join(commit, folder));
  const output = run("npm", ["pack", "--json", "--pack-destination", made], join(commit, folder));
  // Scripts print before the JSON.
  const [packed] = JSON.parse(output.slice(output.indexOf("[\n"))) as [Packed];
  const { name, size } = packed;
  const paths = packed.files.map(({ path }) => path);
  if (size > mostBytes) {
    faults.push(`${name} has ${size} bytes, and ${mostBytes} are allowed`);
  }
  for (const path of [
    "LICENSE",
    "README.md",
    "package.json",
    ...(folder === "." ? ["npm-shrinkwrap.json", ...provenance()] : []),
  ]) {
    if (!paths.includes(path)) {
      faults.push(`${name} lacks ${path}`);
    }
  }
  for (const path of paths) {
    const [top = "", ...rest] = path.split("/");
    const isExpected =
      rest.length === 0
        ? /^(?:LICENSE|README\.md|package\.json)$/.test(top) || files.includes(top)
        : files.includes(top);
    // Examples are read as they are.
    const isSource = top !== "examples" && ((path.endsWith(".ts") && !path.endsWith(".d.ts")) || path.endsWith(".map"));
    if (!isExpected || isSource) {
      faults.push(`${name} has ${path}, which does not belong there`);
    }
  }
  return packed;
}

/** The files that say where bundled data are from, by their places in the service's package. */
function provenance(): string[] {
  return readdirSync(join(commit, "src"), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /^(?:NOTICE\.md|sources\.json)$/.test(basename(path)))
    .map((path) => `dist/src/${path}`);
}

/** Copies the archives to release/, with their hashes and the bill of materials. */
function keep(): void {
  const target = join(root, "release");
  rmSync(target, { recursive: true, force: true });
  cpSync(made, target, { recursive: true });
  const hashes = readdirSync(target).map(
    (file) =>
      `${createHash("sha256")
        .update(readFileSync(join(target, file)))
        .digest("hex")}  ${file}\n`,
  );
  writeFileSync(join(target, "SHA256SUMS"), hashes.join(""));
  writeFileSync(join(target, "sbom.json"), run(process.execPath, [join(root, "scripts/dependencies/sbom.ts")], root));
}

function readPackage(folder: string): { version: string; files: string[] } {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string; files: string[] };
}

/** @throws Error with what the command printed, if it fails. */
function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    // npm is a script on Windows.
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  }
  return stdout;
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1_000);
}
