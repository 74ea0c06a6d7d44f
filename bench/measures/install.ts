import { execFile } from "node:child_process";
import { cp, lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Report } from "../report/report.ts";
import { withHome } from "../support/with-home.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));
const LARGEST = 8;

/** The time and size of `npm ci --omit=dev` in an empty folder. Needs the npm registry or a filled npm cache. */
export async function measureInstall(): Promise<Report> {
  return withHome(async (folder) => {
    for (const path of [
      "package.json",
      "package-lock.json",
      ".npmrc",
      "packages",
      "scripts/dependencies/trim-install.js",
    ]) {
      await cp(join(project, path), join(folder, path), { recursive: true });
    }
    const began = performance.now();
    const args = ["ci", "--omit=dev", "--no-audit", "--no-fund"];
    await promisify(execFile)("npm", args, { cwd: folder }).catch((error: { stderr?: string }) => {
      throw new Error(`npm ci failed:\n${error.stderr?.split("\n").slice(0, 12).join("\n")}`);
    });
    const seconds = (performance.now() - began) / 1_000;
    const packages = await packageSizes(join(folder, "node_modules"));
    const total = packages.reduce((sum, { bytes }) => sum + bytes, 0);
    const largest = packages.sort((a, b) => b.bytes - a.bytes).slice(0, LARGEST);
    return {
      measures: [
        { name: "npm ci --omit=dev", unit: "s", median: seconds, samples: 1 },
        { name: "node_modules", unit: "MB", median: total / 1e6, samples: 1 },
        ...largest.map(({ name, bytes }) => ({ name: `  ${name}`, unit: "MB", median: bytes / 1e6, samples: 1 })),
      ],
      notes: [
        `${packages.length} packages at the top level; a package's size includes the packages inside it.`,
        "The time depends on the network and on the content of npm's cache.",
      ],
    };
  });
}

async function packageSizes(folder: string): Promise<Array<{ name: string; bytes: number }>> {
  const out: Array<{ name: string; bytes: number }> = [];
  for (const name of await readdir(folder)) {
    const scoped = name.startsWith("@") ? (await readdir(join(folder, name))).map((own) => `${name}/${own}`) : [name];
    for (const path of scoped) {
      out.push({ name: path, bytes: await sizeOf(join(folder, path)) });
    }
  }
  return out;
}

async function sizeOf(path: string): Promise<number> {
  const entry = await lstat(path);
  if (!entry.isDirectory()) {
    return entry.size;
  }
  const sizes = (await readdir(path)).map((name) => sizeOf(join(path, name)));
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
