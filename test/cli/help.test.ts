import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/command.ts";
import { commands } from "../../src/cli/commands.ts";
import { program } from "./support/run-program.ts";

const { run } = program();
const packageVersion = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).version;

const all = (list: readonly Command[]): Command[] =>
  list.flatMap((command) => [command, ...all(command.commands ?? [])]);

describe("help", () => {
  it("of the program names every command, and is shown without arguments", async () => {
    const { code, stdout, stderr } = await run(["--help"]);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    for (const { name, commands: inner } of all(commands)) {
      if (inner === undefined) {
        expect(stdout).toContain(`  ${name} `);
      }
    }
    expect(stdout).toContain('modelscout recommend "');
    expect((await run([])).stdout).toBe(stdout);
    expect((await run(["help"])).stdout).toBe(stdout);
    expect((await run(["-h"])).stdout).toBe(stdout);
  });

  it.each(all(commands).map((command) => [command.name, command] as const))(
    "of %s lists its options and examples",
    async (name, command) => {
      const { code, stdout } = await run([...name.split(" "), "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`modelscout ${name}`);
      for (const option of command.options ?? []) {
        expect(stdout).toContain(`--${option.name}`);
      }
      for (const [line, , settings = ""] of command.examples) {
        expect(stdout).toContain(`  ${`${settings} modelscout ${line}`.trimStart()}`);
      }
      expect(stdout).toMatch(/Exit status\n {2}0 +/);
      expect((await run(["help", ...name.split(" ")])).stdout).toBe(stdout);
    },
  );

  it("loads nothing heavy", async () => {
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(noHeavyModules)}` };
    const { code, stderr } = await run(["recommend", "--help"], { env });
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect((await run(["--version"], { env })).stderr).toBe("");
  });

  it("is shown for --help anywhere, but not after --", async () => {
    expect((await run(["recommend", "a need", "--top-k", "x", "--help"])).stdout).toContain("Usage");
    expect((await run(["import", "--", "--help"])).stderr).toContain("There is no file --help");
  });
});

// Fails at exit if a package was loaded that help does not need.
const noHeavyModules = `
import { registerHooks } from "node:module";
registerHooks({
  resolve(specifier, context, next) {
    if (/lancedb|connectrpc|fastify|transformers|apache-arrow|cli-progress|zod|kysely|^pg$/.test(specifier)) console.error("loaded " + specifier);
    return next(specifier, context);
  },
});`;

describe("version", () => {
  it.each([["--version"], ["-v"]])("is what %s prints", async (option) => {
    expect(await run([option])).toEqual({ code: 0, stdout: `${packageVersion}\n`, stderr: "" });
  });
});

describe("wrong usage", () => {
  it.each([
    [["recomend", "x"], '"recomend": unknown command; did you mean recommend?'],
    [["models", "famlies"], '"models famlies": unknown command; did you mean models families?'],
    [["families"], '"families": unknown command; did you mean models families?'],
    [["version"], '"version": unknown command; did you mean --version?'],
    [["zzzzzzzzz"], '"zzzzzzzzz": unknown command\n'],
    [["models"], "models: add one of its commands: models families, models tasks"],
    [["--verson"], "--verson: unknown option; did you mean --version?"],
    [["serve", "--prot", "1"], "--prot: unknown option; did you mean --port?"],
    [["serve", "--port", "abc"], '--port: is "abc"; must be a whole number from 0 to 65535'],
    [["serve", "now"], '"now": unexpected argument'],
    [["models", "show"], "NAME: is missing"],
    [["models", "family", "qwen", "--limit", "none"], '--limit: is "none"; must be a whole number'],
    [["\u001b[31mred"], '"\\u001b[31mred": unknown command'],
  ])("%j says what is wrong", async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/See: modelscout .*--help\n$/);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  it("of the environment is reported, all faults at once, with the nearest names of unknown variables", async () => {
    const bad = await run(["models", "families"], { env: { PORT: "x", LOG_LEVEL: "loud" } });
    expect(bad.code).toBe(1);
    expect(bad.stderr).toContain('PORT="x": must be a whole number');
    expect(bad.stderr).toContain('LOG_LEVEL="loud"');
    const { stderr } = await run(["models", "show", "a/b"], {
      env: { MODELSCOUT_STARTR: "off", MODELSCOUT_STARTER: "off" },
    });
    expect(stderr).toContain("MODELSCOUT_STARTR is not a variable of modelscout; did you mean MODELSCOUT_STARTER?");
  });
});
