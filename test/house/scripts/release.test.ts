import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../../..");

it("A release of the present commit could be made: all packages can be built and have what they should", ({ skip }) => {
  skip(!existsSync(resolve(root, ".git")), "the project is no clone of git here");
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(root, "scripts/release.ts"), "--dry-run"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  for (const folder of [".", ...readdirSync(resolve(root, "packages")).map((name) => `packages/${name}`)]) {
    const { name } = JSON.parse(readFileSync(resolve(root, folder, "package.json"), "utf8")) as { name: string };
    expect(stdout).toContain(name);
  }
  expect(stdout).toContain("All packages can be released.");
  expect(existsSync(resolve(root, "release"))).toBe(false);
}, 240_000);
