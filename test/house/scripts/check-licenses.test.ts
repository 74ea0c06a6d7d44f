import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { atEnd } from "../../support/at-end.ts";

const script = resolve(import.meta.dirname, "../../../scripts/dependencies/check-licenses.ts");

function check(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
  return { status, stdout, stderr };
}

/** Creates a folder with a lock file of these packages, with hashes, and with their installed files. */
function project(locked: Record<string, object>, installed: Record<string, object> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "modelscout-licenses-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const hashed = Object.entries(locked).map(([path, each]) => [path, { integrity: "sha512-x", ...each }]);
  const packages = Object.fromEntries(hashed);
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages: { "": { name: "x" }, ...packages } }));
  for (const [path, manifest] of Object.entries(installed)) {
    const file = join(folder, path, "package.json");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(manifest));
  }
  return folder;
}

it("passes for this project, whatever packages of other platforms are installed", () => {
  const { status, stdout, stderr } = check();
  // Their hashes are awaited: see scripts/dependencies/lock-file.ts.
  for (const line of stderr.split("\n").filter(Boolean)) {
    expect(line).toMatch(/^Warning: @lancedb\/lancedb-[\w-]+@[\d.]+ has no hash in package-lock.json yet$/);
  }
  expect(status).toBe(0);
  expect(stdout).toMatch(/^\d{3}\tMIT\n/);
});

it.each([["MIT"], ["(MIT OR GPL-3.0-only)"], ["(Apache-2.0 AND BSD-3-Clause)"]])("takes %s", (license) => {
  const folder = project({ "node_modules/a": { version: "1.0.0", license } });
  expect(check(folder)).toEqual({ status: 0, stdout: `1\t${license}\n`, stderr: "" });
});

it.each([
  ["GPL-3.0-only", "has the licence GPL-3.0-only"],
  ["MIT AND AGPL-3.0-or-later", "has the licence MIT AND AGPL-3.0-or-later"],
  ["LGPL-3.0-or-later", "has the licence LGPL-3.0-or-later"],
  ["SEE LICENSE IN LICENSE.md", "has a licence that is not an SPDX expression: SEE LICENSE IN LICENSE.md"],
  ["UNLICENSED", "has a licence that is not an SPDX expression: UNLICENSED"],
])("refuses %s, naming the package", (license, fault) => {
  const folder = project({
    "node_modules/good": { version: "1.0.0", license: "MIT" },
    "node_modules/a/node_modules/@b/c": { version: "2.0.0", license },
  });
  const { status, stderr } = check(folder);
  expect(status).toBe(1);
  expect(stderr.split("\n")[0]).toBe(`Error: @b/c 2.0.0 ${fault}`);
});

it("reads the package if the lock file has no licence, and refuses one without any", () => {
  const packages = { "node_modules/old": { version: "1.0.0" }, "node_modules/silent": { version: "1.0.0" } };
  const installed = { "node_modules/old": { licenses: [{ type: "MIT" }] }, "node_modules/silent": {} };
  const { status, stdout, stderr } = check(project(packages, installed));
  expect({ status, stdout }).toEqual({ status: 1, stdout: "1\tMIT\n" });
  expect(stderr.split("\n")[0]).toBe("Error: silent 1.0.0 declares no licence");
});

it("leaves out packages that only developers need", () => {
  const folder = project({ "node_modules/tool": { version: "1.0.0", license: "GPL-3.0-only", dev: true } });
  expect(check(folder)).toEqual({ status: 0, stdout: "", stderr: "" });
});

it("refuses a package of production without a hash", () => {
  const folder = project({
    "node_modules/bare": { version: "1.0.0", license: "MIT", integrity: undefined },
    "node_modules/tool": { version: "1.0.0", license: "MIT", integrity: undefined, dev: true },
  });
  const { status, stderr } = check(folder);
  expect(status).toBe(1);
  expect(stderr.split("\n")[0]).toBe("Error: bare@1.0.0 has no hash in package-lock.json");
  expect(stderr).not.toContain("tool");
});
