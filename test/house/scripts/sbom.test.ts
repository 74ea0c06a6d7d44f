import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");
const project = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as Record<
  "dependencies" | "optionalDependencies",
  Record<string, string>
> & { name: string; version: string };

it("The bill of materials lists the packages that the program runs with, and no others", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(root, "scripts/dependencies/sbom.ts")], {
    encoding: "utf8",
  });
  expect(status).toBe(0);
  const bill = JSON.parse(stdout) as {
    bomFormat: string;
    metadata: { component: { name: string; version: string; purl: string } };
    components: Array<{ "bom-ref": string; name: string; version: string; hashes?: unknown[] }>;
    dependencies: Array<{ ref: string; dependsOn: string[] }>;
  };
  const { name, version } = project;
  expect(bill.bomFormat).toBe("CycloneDX");
  expect(bill.metadata.component).toMatchObject({ name, version, purl: `pkg:npm/${name}@${version}` });
  const lock = JSON.parse(readFileSync(resolve(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { name?: string; version: string; dev?: boolean; link?: boolean }>;
  };
  const locked = Object.entries(lock.packages)
    // Our own packages are a part of the program, not packages that it runs with.
    .filter(([path, { dev, link }]) => path.includes("node_modules/") && dev !== true && link !== true)
    .map(([path, { name = path.split("node_modules/").at(-1), version }]) => `${name}@${version}`);
  expect(new Set(bill.components.map((each) => `${each.name}@${each.version}`))).toEqual(new Set(locked));
  // Packages without a hash are reported.
  for (const { "bom-ref": ref, hashes = [] } of bill.components) {
    expect(stderr.includes(`Warning: ${ref} has no hash in package-lock.json\n`), ref).toBe(hashes.length === 0);
  }
  const known = new Set([`${name}@${version}`, ...bill.components.map((component) => component["bom-ref"])]);
  for (const { ref, dependsOn } of bill.dependencies) {
    for (const each of [ref, ...dependsOn]) {
      expect(known, each).toContain(each);
    }
  }
  const own = bill.dependencies.find(({ ref }) => ref === `${name}@${version}`);
  const direct = Object.entries({ ...project.dependencies, ...project.optionalDependencies });
  expect(own?.dependsOn).toEqual(
    expect.arrayContaining(direct.map(([dependency, pinned]) => `${dependency}@${pinned}`)),
  );
});
