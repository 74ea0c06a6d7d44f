import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "modelscout-summary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
writeFileSync(
  join(folder, "some.test.ts"),
  `import { describe, expect, it } from "vitest";
   it("holds", () => expect(1).toBe(1));
   it("does not hold", () => expect(1).toBe(2));
   it("needs a browser", ({ skip }) => skip("no browser is installed"));
   describe.skip("silent", () => { it("says nothing", () => {}); });
   it.todo("is to be written");
  `,
);
const config = join(folder, "vitest.config.js");
writeFileSync(config, "export default {};\n");
writeFileSync(join(folder, "broken.test.ts"), 'throw new Error("on purpose");\n');

/** Runs the tests in the folder with the project's reporter. @returns what the run prints. */
function runTests(...args: string[]): Promise<string> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const reporter = `--reporter=${join(root, "test/support/summary-reporter.ts")}`;
  const env = { ...process.env, NO_COLOR: "1", VITEST: undefined, VITEST_MODE: undefined };
  return new Promise((done) =>
    execFile(
      process.execPath,
      [vitest, "run", "--root", folder, "--config", config, reporter, ...args],
      { env },
      (_, stdout, stderr) => done(stdout === "" ? stderr : stdout),
    ),
  );
}

it("A run ends with each skipped test, its reason, and the counts", async () => {
  const output = await runTests();
  expect(output).toMatch(/SKIPPED, no browser is installed:\n {2}some\.test\.ts > needs a browser\n/);
  expect(output).toMatch(
    /SKIPPED, and no reason is given:\n {2}some\.test\.ts > silent > says nothing\n {2}some\.test\.ts > is to be written\n/,
  );
  // The file that cannot be loaded is one of the two failures.
  expect(output.trimEnd()).toMatch(/\n1 passed, 2 failed, 3 skipped$/);
});

it("A run of the tests of one name does not list the others", async () => {
  const output = await runTests("-t", "^holds$", "some.test.ts");
  expect(output).not.toContain("SKIPPED");
  expect(output.trimEnd()).toMatch(/\n?1 passed, 0 failed, 4 skipped$/);
});
