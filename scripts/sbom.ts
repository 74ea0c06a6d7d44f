/**
 * Prints the software bill of materials of the running program, for all platforms, as CycloneDX JSON:
 *   npm run --silent sbom > sbom.json
 * npm makes it from package-lock.json, here without our own packages in packages/. This script corrects two things: npm
 * names the project after its folder, and its --omit=dev leaves out packages that both the program and a tool need, such
 * as fastify, so tools are removed here.
 * Warns on standard error of components without a hash.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

interface Bill {
  metadata: { component: { name: string } };
  components: Array<{ "bom-ref": string; properties?: Array<{ name: string; value: string }>; hashes?: unknown[] }>;
  dependencies: Array<{ ref: string; dependsOn?: string[] }>;
}

const root = join(import.meta.dirname, "..");
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
  const isTool = ({ properties = [] }: Bill["components"][number]) =>
    properties.some((each) => each.name === "cdx:npm:package:development" && each.value === "true");
  const tools = new Set(bill.components.filter(isTool).map((component) => component["bom-ref"]));
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...bill.metadata.component, name } },
    components: bill.components.filter((component) => !tools.has(component["bom-ref"])),
    dependencies: bill.dependencies
      .filter(({ ref }) => !tools.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => !tools.has(each)) })),
  };
}
