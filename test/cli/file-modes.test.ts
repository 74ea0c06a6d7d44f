import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { skipWhere } from "../support/skip-where.ts";
import { program } from "./support/run-program.ts";

skipWhere(process.platform === "win32" ? "Windows has no modes of files" : undefined);

const { home, runProcess: run, start } = program();

/** Mode of a file or folder, in octal. */
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

it("only the owner can read the program's files", async () => {
  const file = join(home, "models.jsonl");
  writeFileSync(file, JSON.stringify({ name: "acme/one" }));
  const { code } = await run(["import", file], { env: { MODELSCOUT_STARTER: "off" } });
  expect(code).toBe(0);
  const state = join(home, "state");
  const made = readdirSync(state, { recursive: true, encoding: "utf8" }).map((path) => join(state, path));
  expect(made.some((path) => path.endsWith(".manifest"))).toBe(true);
  const open = [state, ...made].filter((path) => modeOf(path) !== (statSync(path).isDirectory() ? "700" : "600"));
  expect(open).toEqual([]);
});

it("a home that others can read gets a warning, and is not changed", async () => {
  const wide = join(home, "wide");
  mkdirSync(wide);
  chmodSync(wide, 0o755);
  const child = start(["serve", "--port", "0"], { env: { MODELSCOUT_HOME: wide, MODELSCOUT_STARTER: "off" } });
  let output = "";
  child.stderr.on("data", (chunk) => (output += chunk));
  await expect.poll(() => output, { timeout: 50_000 }).toContain("are ready");
  child.kill("SIGKILL");
  expect(output).toContain(`Warning: Other users can read ${wide} (mode 755); chmod 700 prevents this`);
  expect(modeOf(wide)).toBe("755");
  expect(existsSync(join(wide, "state.sqlite"))).toBe(true);
});
