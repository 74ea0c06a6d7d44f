import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const copy = mkdtempSync(join(tmpdir(), "modelscout-contract-"));
afterAll(() => rmSync(copy, { recursive: true, force: true }));
for (const name of ["proto", "buf.yaml", "package.json"]) {
  cpSync(join(root, name), join(copy, name), { recursive: true });
}
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

/** Runs `npm run breaking` of a copy of the project. @returns its exit status and what it prints. */
function runBreaking(): Promise<{ status: number; output: string }> {
  return new Promise((done) =>
    execFile("npm", ["run", "--silent", "breaking"], { cwd: copy }, (error, stdout, stderr) =>
      done({ status: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    ),
  );
}

it("The check of the contract takes an added field and refuses a removed one", async () => {
  const file = join(copy, "proto/modelscout/v1/recommendation.proto");
  const contract = readFileSync(file, "utf8");
  const field = "  optional int32 top_k = 6;\n";
  const bare = contract.replace(/ {2}optional int32 top_k = 6[^;]*;\n/, field);
  expect(bare).toContain(field);

  writeFileSync(file, bare.replace(field, `${field}  optional int32 top_added = 9999;\n`));
  expect(await runBreaking()).toMatchObject({ status: 0 });

  writeFileSync(file, bare.replace(field, ""));
  const { status, output } = await runBreaking();
  expect(status).not.toBe(0);
  expect(output).toMatch(/recommendation\.proto:.*Previously present field "6" with name "top_k".*was deleted/);
});
