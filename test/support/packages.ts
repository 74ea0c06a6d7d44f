import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { text } from "node:stream/consumers";

const root = resolve(import.meta.dirname, "../..");

/** npm's codes for a registry that cannot be reached; anything else that goes wrong is the package's fault. */
const unreachable =
  /npm error (?:code|errno) (?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

/** Whether npm failed because it cannot reach the registry. @param stderr what it printed. */
export function isUnreachable(stderr: string): boolean {
  return unreachable.test(stderr);
}

/** How a command ended. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** As a user's shell has it: without what `npm test` adds, and so with the user's own Node. */
function userEnvironment(): NodeJS.ProcessEnv {
  const addedByNpm =
    /^npm_(?:package_|lifecycle_|config_(?:local_prefix|onnxruntime_node_install|allow_scripts)$)|^(?:INIT_CWD|NODE_ENV|NODE_OPTIONS)$|^MODELSCOUT_/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !addedByNpm.test(name)));
  const folders = (process.env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !/node_modules|node-gyp-bin/.test(folder));
  return { ...env, PATH: folders.join(delimiter) };
}

/** Runs a command as a user would. */
export async function runAsUser(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const child = spawn(command, args, {
    cwd,
    env: { ...userEnvironment(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((done, failed) => child.on("close", done).on("error", failed));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/**
 * Packs the project, or a package in a folder of packages/. Packs a copy, so that tests that run the clone meanwhile
 * never meet a dist/.
 *
 * @param temporary an existing folder, which gets the copy and the archive.
 * @returns the path of the archive.
 * @throws Error if npm cannot pack it, or if packing leaves files behind.
 */
export async function packCopy(temporary: string, packageFolder = "."): Promise<string> {
  const copy = join(temporary, "project");
  mkdirSync(copy);
  for (const name of readdirSync(root)) {
    if (
      /^(?:src|gen|proto|packages|web|bin|scripts|package(?:-lock)?\.json|tsconfig.*\.json|buf\.yaml|README\.md|LICENSE)$/.test(
        name,
      )
    ) {
      cpSync(join(root, name), join(copy, name), { recursive: true });
    }
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"), "junction");
  const folder = join(copy, packageFolder);
  const packed = await runAsUser("npm", ["pack", "--pack-destination", temporary], folder);
  if (packed.code !== 0) {
    throw new Error(`npm pack failed:\n${packed.stdout}${packed.stderr}`);
  }
  const left = readdirSync(folder).filter((name) => name === "dist" || name === "npm-shrinkwrap.json");
  if (left.length > 0) {
    throw new Error(`npm pack left ${left.join(" and ")} behind`);
  }
  rmSync(copy, { recursive: true });
  return join(temporary, readdirSync(temporary).find((name) => name.endsWith(".tgz")) as string);
}

/**
 * Installs packages in a new project.
 *
 * @param packages archives, or names with versions.
 * @returns why it cannot be done here, if the registry cannot be reached; otherwise undefined.
 * @throws Error if npm fails for any other reason.
 */
export async function installInNewProject(folder: string, packages: readonly string[]): Promise<string | undefined> {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const args = ["install", "--omit=dev", "--prefer-offline", "--no-audit", "--no-fund", ...packages];
  const { code, stderr } = await runAsUser("npm", args, folder);
  if (code === 0) {
    return undefined;
  }
  if (!isUnreachable(stderr)) {
    throw new Error(`npm install failed:\n${stderr}`);
  }
  const why = `SKIPPED: the package's tests need the npm registry, which cannot be reached.\n${stderr}`;
  console.warn(why);
  return why;
}
