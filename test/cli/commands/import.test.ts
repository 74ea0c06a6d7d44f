import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { program } from "../support/run-program.ts";

const { home, run, runProcess, start } = program();
const record = (name: string, more: object = {}) =>
  JSON.stringify({ name, task_types: ["text-generation"], license: "mit", ...more });

let homes = 0;
/** A new inventory, empty. */
const emptyHome = () => ({ MODELSCOUT_STARTER: "off", MODELSCOUT_HOME: join(home, `home-${homes++}`) });

function file(name: string, content: string | Uint8Array): string {
  const path = join(home, name);
  writeFileSync(path, content);
  return path;
}

describe("import", () => {
  it("imports a file, and other commands find its models", async () => {
    const env = emptyHome();
    const path = file("good.jsonl", [record("acme/one", { source: "shelf" }), "", record("acme/two")].join("\r\n"));
    const { code, stdout, stderr } = await run(["import", path, "--source", "mirror"], { env });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^Imported 2 models, skipped 0 lines, in [\d.]+ s\. The inventory holds 2 models\.\n$/);
    expect(code).toBe(0);
    const sourceOf = async (name: string) =>
      JSON.parse((await run(["models", "show", name, "--json"], { env })).stdout).source;
    expect(await sourceOf("acme/one")).toBe("shelf");
    expect(await sourceOf("ACME/two")).toBe("mirror");
    expect((await run(["recommend", "write text"], { env })).stdout).toContain("acme/one");
  });

  it("reports bad lines with number and reason, imports the rest, and --strict only changes the exit status", async () => {
    const path = file(
      "bad.jsonl",
      [
        record("acme/one"),
        '{"name":"acme"}',
        "{broken",
        '"\u001b[2J"',
        record("a/b", { downloads: -1 }),
        record("acme/ONE", { license: "apache-2.0" }),
      ].join("\n"),
    );
    const env = emptyHome();
    const lenient = await run(["import", path], { env });
    expect(lenient.code).toBe(0);
    expect(lenient.stdout).toMatch(
      /^Imported 1 model, skipped 4 lines, 1 line repeated a name \(the last one counts\), in /,
    );
    expect([...lenient.stderr.matchAll(/^Line (\d+) skipped: ./gm)].map((match) => match[1])).toEqual([
      "2",
      "3",
      "4",
      "5",
    ]);
    expect(lenient.stderr).toContain("Line 2 skipped: name: must be owner/model");
    expect(lenient.stderr).not.toContain("\u001b");
    const strict = await run(["import", path, "--strict"], { env });
    expect(strict.code).toBe(1);
    expect(strict.stdout).toContain("Imported 1 model (0 new, 0 changed, 1 unchanged), skipped 4 lines");
    expect((await run(["import", file("fine.jsonl", record("acme/one")), "--strict"], { env })).code).toBe(0);
  });

  it("prints the first twenty bad lines and counts the others", async () => {
    const path = file("very-bad.jsonl", `${"nothing\n".repeat(25)}${record("acme/one")}\n`);
    const { stderr, stdout } = await run(["import", path], { env: emptyHome() });
    expect(stderr.match(/^Line \d+ skipped/gm)).toHaveLength(20);
    expect(stderr).toContain("… and 5 more lines skipped");
    expect(stdout).toContain("skipped 25 lines");
  });

  it("prints its summary as JSON", async () => {
    const { code, stdout } = await runProcess(["import", "-", "--json"], {
      env: emptyHome(),
      input: `${record("acme/one")}\nx\n`,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      imported: 1,
      added: 1,
      changed: 0,
      unchanged: 0,
      skipped: 1,
      repeated: 0,
      interrupted: false,
      models: 1,
      seconds: expect.any(Number),
      skipped_lines: [{ line: 2, reason: expect.stringContaining("is not JSON") }],
    });
  });

  it("reads compressed files and standard input", async () => {
    const env = emptyHome();
    expect((await run(["import", file("good.jsonl.gz", gzipSync(record("acme/packed")))], { env })).stdout).toContain(
      "Imported 1 model,",
    );
    expect((await runProcess(["import", "-"], { env, input: record("acme/piped") })).stdout).toContain(
      "The inventory holds 2 models",
    );
  });

  it("keeps the lines before a fault of the file, and says so", async () => {
    const whole = gzipSync(
      Array.from({ length: 3_000 }, (_, i) => record(`acme/m-${i}`, { description: `${Math.sin(i)}` })).join("\n"),
    );
    const { code, stdout, stderr } = await run(["import", file("cut.jsonl.gz", whole.subarray(0, whole.length / 2))], {
      env: emptyHome(),
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/Error: .*cut\.jsonl\.gz could not be read to its end: unexpected end of file/);
    expect(Number(/^Imported ([\d,]+) models/.exec(stdout)?.[1]?.replace(",", ""))).toBeGreaterThan(1_000);
  });

  it.each([
    ["no-such.jsonl", "There is no file no-such.jsonl"],
    ["folder", "folder is a folder, not a file"],
  ])("refuses %s without touching the inventory", async (path, message) => {
    mkdirSync(join(home, "folder"), { recursive: true });
    const { code, stdout, stderr } = await run(["import", path], { env: emptyHome() });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: `Error: ${message}\n` });
  });

  it.each([
    ["an empty file", ""],
    ["only bad lines", "x\ny\n"],
    ["something else, compressed", "not compressed at all"],
  ])("exits with 1 when nothing is imported: %s", async (what, content) => {
    const path = file(what.includes("compressed") ? "fake.jsonl.gz" : "empty.jsonl", content);
    const { code, stdout } = await run(["import", path], { env: emptyHome() });
    expect(stdout).toContain("Imported 0 models");
    expect(code).toBe(1);
  });

  it.each([[["import"]], [["import", "a", "b"]], [["import", "a", "--stict"]], [["import", "a", "--source"]]])(
    "%j is wrong usage",
    async (args) => {
      const { code, stderr } = await run(args);
      expect(stderr).toContain("See: modelscout import --help");
      expect(code).toBe(2);
    },
  );

  it("stops at Ctrl-C while it waits for input, keeps the written batches and says how many", async () => {
    const env = emptyHome();
    const child = start(["import", "-"], { env });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdin.write(Array.from({ length: 2_500 }, (_, i) => `${record(`acme/m-${i}`)}\n`).join(""));
    while ((await run(["models", "show", "acme/m-0"], { env })).code !== 0) {
      await sleep(100);
    }
    const closed = once(child, "close");
    // One Ctrl-C arrives several times, as from npm and a shell.
    child.kill("SIGINT");
    child.kill("SIGINT");
    const [code] = await closed;
    expect(stdout).toMatch(
      /^Stopped\. Imported 2,000 models, skipped 0 lines, in .*The inventory holds 2,000 models\.\n$/,
    );
    // On a slow machine it prints its progress now and then.
    expect(stderr.replace(/^Importing -: .*\n/gm, "")).toBe("");
    expect(code).toBe(130);
    expect((await run(["recommend", "write text"], { env })).stdout).toContain("acme/m-");
  });
});
