/**
 * Prints the software bill of materials of the running program, for all platforms, as CycloneDX JSON:
 *   npm run --silent sbom > sbom.json
 * npm makes it from package-lock.json, here without our own packages in packages/. This script corrects three things: npm
 * names the project after its folder, it names a package that stands in for another after that other package, and its
 * --omit=dev leaves out packages that both the program and a tool need, such as fastify. So tools are removed here: the
 * packages that the lock file has only for development.
 * Warns on standard error of components without a hash.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lockedName, readLockFile } from "./lock-file.ts";

interface Bill {
  metadata: { component: { "bom-ref": string; name: string } };
  components: Array<{ "bom-ref": string; name: string; hashes?: unknown[] }>;
  dependencies: Array<{ ref: string; dependsOn?: string[] }>;
}

const root = join(import.meta.dirname, "../..");
const args = [
  "sbom",
  "--package-lock-only",
  "--sbom-format=cyclonedx",
  "--sbom-type=application",
  "--workspaces=false",
];
const { status, stdout } = spawnSync("npm", args, {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 64 * 1024 * 1024,
  stdio: ["ignore", "pipe", "inherit"],
  // npm is a script on Windows.
  shell: process.platform === "win32",
});
if (status === 0) {
  const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name: string };
  const bill = completed(JSON.parse(stdout), name);
  for (const { "bom-ref": ref, hashes = [] } of bill.components) {
    if (hashes.length === 0) {
      console.warn(`Warning: ${ref} has no hash in package-lock.json`);
    }
  }
  console.log(JSON.stringify(bill, null, 2));
} else {
  // npm has printed the reason.
  process.exitCode = 1;
}

function completed(bill: Bill, name: string): Bill {
  // npm lists a package once, although the lock file may have it both for the program and for a tool.
  const needed = new Map(
    Object.entries(readLockFile(root).packages)
      .filter(([, { dev }]) => dev !== true)
      .map(([path, locked]) => {
        const lockName = lockedName(path, locked);
        return [`${lockName}@${locked.version}`, lockName];
      }),
  );
  const isTool = (ref: string) => !needed.has(ref) && ref !== bill.metadata.component["bom-ref"];
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name } },
    // npm takes a component's name from its folder, which an override in package.json can fill with another package.
    components: bill.components
      .filter((component) => !isTool(component["bom-ref"]))
      .map((component) => ({ ...component, name: needed.get(component["bom-ref"]) ?? component.name })),
    dependencies: bill.dependencies
      .filter(({ ref }) => !isTool(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !isTool(each)) })),
  };
}
