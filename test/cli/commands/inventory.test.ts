import { once } from "node:events";
import { existsSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "@lancedb/lancedb";
import { afterEach, describe, expect, it } from "vitest";
import { runCli } from "../../../src/cli/run-cli.ts";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import { withWriteLock } from "../../../src/inventory/locks.ts";
import { writeTinyModel } from "../../embedding/support/tiny-model.ts";
import { manyRecords } from "../../inventory/support/many-records.ts";
import { fakeTerminal } from "../support/fake-terminal.ts";
import { program } from "../support/run-program.ts";

const { home, start } = program();

/** Runs a command line in this process, which is faster than starting another. */
async function run(args: readonly string[], { env = {} }: { env?: Record<string, string> } = {}) {
  const terminal = fakeTerminal();
  const code = await runCli(args, { terminal, env });
  const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
  return { code, stdout: text(terminal.printed), stderr: text(terminal.noted) };
}

let homes = 0;
function emptyHome(): { MODELSCOUT_STARTER: string; MODELSCOUT_HOME: string } {
  return { MODELSCOUT_STARTER: "off", MODELSCOUT_HOME: join(home, `home-${homes++}`) };
}

async function importModels(env: Record<string, string>, records: readonly SourceRecord[]) {
  const path = join(home, "models.jsonl");
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join("\n"));
  return run(["import", path, "--source", "s"], { env });
}

async function filledHome(count: number) {
  const env = emptyHome();
  expect((await importModels(env, manyRecords(count))).code).toBe(0);
  return env;
}

async function json(args: readonly string[], env: Record<string, string>) {
  const { code, stdout, stderr } = await run(["inventory", ...args, "--json"], { env });
  return { code, stderr, report: JSON.parse(stdout) };
}

/** Changes the serving table without the program's knowledge. */
async function tamper({ MODELSCOUT_HOME }: { MODELSCOUT_HOME: string }, where: string, values: object): Promise<void> {
  const db = await connect(join(MODELSCOUT_HOME, "inventory"));
  const [serving] = await (await db.openTable("generations")).query().where("state = 'serving'").toArray();
  await (await db.openTable(serving.table)).update({ where, values: values as Record<string, string> });
  db.close();
}

const children: Array<ReturnType<typeof start>> = [];
afterEach(() => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
  }
});

/** Starts a server, and waits for a text in its output. */
async function serve(env: Record<string, string>, until = "npx modelscout recommend") {
  const child = start(["serve", "--port", "0"], { env: { MODELSCOUT_DRAIN_S: "1", ...env } });
  children.push(child);
  let [output, logged] = ["", ""];
  child.stdout.on("data", (chunk) => {
    logged += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output, { timeout: 40_000 }).toContain(until);
  const url = /modelscout listens on (http:\S+)/.exec(output)?.[1] as string;
  return { child, url, logged: () => logged, output: () => output };
}

describe("inventory status", () => {
  it("says that there is none, and creates none", async () => {
    const env = emptyHome();
    for (const command of ["status", "verify"]) {
      const { code, stdout, stderr } = await run(["inventory", command], { env });
      const folder = join(env.MODELSCOUT_HOME, "inventory");
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr: `Error: There is no inventory at ${folder} yet\n`,
      });
    }
    expect(existsSync(env.MODELSCOUT_HOME)).toBe(false);
  });

  it("shows size, encoder, files and indexes", async () => {
    const env = await filledHome(50);
    const { code, stderr, report } = await json(["status"], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(report).toMatchObject({
      location: join(env.MODELSCOUT_HOME, "inventory"),
      models: 50,
      encoder: "bundled",
      encoder_id: expect.stringMatching(/^static-/),
      dimensions: expect.any(Number),
      schema: 6,
      needs_upgrade: false,
      retired: [],
      syncs: [],
    });
    expect(report.bytes).toBeGreaterThan(10_000);
    expect(report.indexes).toContainEqual(
      expect.objectContaining({ column: "text", indexed_rows: 50, unindexed_rows: 0 }),
    );
    expect(report).not.toHaveProperty("rebuild");
    const { stdout } = await run(["inventory", "status"], { env });
    expect(stdout).toMatch(/^location .*\nmodels +50\nencoder +bundled \(static-/);
    expect(stdout).toMatch(/\nINDEX +TYPE +INDEXED +UNINDEXED +PARTS +SIZE\n/);
    expect(stdout).toMatch(/\ntext +FTS +50 +0 +1 /);
  });

  it.each([
    ["the text index", (file: string) => file.includes("_invert."), ["text"]],
    ["all indexes", () => true, undefined],
  ])("names what cannot be read, and tells the rest: %s", async (_what, isDamaged, expected) => {
    const env = await filledHome(50);
    const { report: sound } = await json(["status"], env);
    const columns = sound.indexes.map(({ column }: { column: string }) => column);
    expect(sound).not.toHaveProperty("unreadable_indexes");
    const folder = join(env.MODELSCOUT_HOME, "inventory", `${sound.table}.lance`, "_indices");
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.isFile() && isDamaged(file)) {
        truncateSync(file, 10);
      }
    }
    const unreadable = expected ?? columns;
    const { code, stderr, report } = await json(["status"], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(report).toMatchObject({ models: 50, bytes: expect.any(Number), unreadable_indexes: unreadable });
    expect(report.indexes.map(({ column }: { column: string }) => column)).toEqual(columns);
    const { stdout } = await run(["inventory", "status"], { env });
    expect(stdout).toMatch(/\nmodels +50\n/);
    expect(stdout).toMatch(/\nunreadable +the index(?:es)? of (?:\w+, )*text\b.*; a server rebuilds/);
    expect(stdout).toMatch(/\ntext +FTS +50 +0 +1 +unknown/);
  });

  it("shows the running writer, and does not wait for it", async () => {
    const env = await filledHome(3);
    await withWriteLock(env.MODELSCOUT_HOME, async () => {
      const { report } = await json(["status"], env);
      expect(report).toMatchObject({ models: 3, writer: { pid: process.pid } });
      expect((await run(["inventory", "status"], { env })).stdout).toMatch(
        new RegExp(`\nwriting +.*\\(process ${process.pid}\\), for `),
      );
    });
    expect((await json(["status"], env)).report).not.toHaveProperty("writer");
  });
});

describe("inventory verify", () => {
  it("reports no faults", async () => {
    const env = await filledHome(30);
    const { code, stdout } = await run(["inventory", "verify", "--sample", "5"], { env });
    expect(stdout).toMatch(/^No faults: 30 models read, 5 looked up in every index, in [\d.]+ s\.\n$/);
    expect(code).toBe(0);
    expect((await json(["verify"], env)).report).toEqual({
      models: 30,
      sampled: 30,
      problems: [],
      seconds: expect.any(Number),
    });
  });

  it("exits with 1 and names the faults and their models", async () => {
    const env = await filledHome(30);
    await tamper(env, "key IN ('acme/m-3', 'acme/m-4')", { family: "none" });
    const { code, stdout } = await run(["inventory", "verify"], { env });
    expect(stdout).toContain("1 fault found: 30 models read");
    expect(stdout).toContain("its column family does not match the rest of its row, 2 times: acme/m-3, acme/m-4");
    expect(code).toBe(1);
    const { code: again, report } = await json(["verify"], env);
    expect(again).toBe(1);
    expect(report.problems).toEqual([
      { what: expect.stringContaining("family"), count: 2, models: ["acme/m-3", "acme/m-4"] },
    ]);
    // A rebuild from the sources' facts mends it.
    expect((await run(["inventory", "rebuild"], { env })).code).toBe(0);
    expect((await run(["inventory", "verify"], { env })).code).toBe(0);
  });

  it.each([["x"], ["-1"], ["1.5"]])("refuses a sample of %s", async (sample) => {
    const { code, stderr } = await run(["inventory", "verify", `--sample=${sample}`]);
    expect(stderr).toContain("--sample: is");
    expect(code).toBe(2);
  });
});

describe("inventory compact", () => {
  it("merges the files of many imports, and reports the gain", async () => {
    const env = await filledHome(40);
    for (let i = 0; i < 3; i++) {
      await importModels(env, [{ name: `acme/late-${i}` }]);
    }
    const { code, stdout } = await run(["inventory", "compact"], { env });
    expect(stdout).toMatch(/^Compacted in [\d.]+ s\. .* on disk before, .* now\./);
    expect(code).toBe(0);
    const { report } = await json(["compact"], env);
    expect(report).toMatchObject({ before: { files: 1 }, after: { files: 1 } });
    expect((await json(["status"], env)).report).toMatchObject({ models: 43 });
    expect((await run(["inventory", "verify"], { env })).code).toBe(0);
  });
});

describe("inventory rebuild", () => {
  it("works beside a server, which answers without a break", async () => {
    const env = await filledHome(400);
    // It gets more requests than one client may send.
    const { child, url, logged } = await serve({ ...env, MODELSCOUT_BURST: "off" });
    await tamper(env, "key = 'acme/m-7'", { entry: '{"key":"acme/m-7","name":"acme/m-7","old":true}' });
    let [answers, stop] = [0, false];
    const asking = (async () => {
      while (!stop) {
        const response = await fetch(`${url}/models/families`);
        expect(response.status).toBe(200);
        await response.arrayBuffer();
        answers++;
      }
    })();
    const { code, stdout } = await run(["inventory", "rebuild"], { env });
    expect(stdout).toMatch(/^Rebuilt 400 models in [\d.]+ s, with vectors of bundled\.\n$/);
    expect(code).toBe(0);
    await expect.poll(logged, { timeout: 60_000 }).toContain("The inventory uses another table from now on");
    stop = true;
    await asking;
    expect(answers).toBeGreaterThan(0);
    const detail = await fetch(`${url}/models/detail/acme/m-7`);
    expect(await detail.json()).toMatchObject({ description: "Model number 7 of a long series." });
    expect((await json(["status"], env)).report).toMatchObject({
      models: 400,
      retired: [{ table: expect.any(String) }],
    });
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("changes nothing if it is stopped by Ctrl-C", async () => {
    const env = await filledHome(9_000);
    const before = (await json(["status"], env)).report.table;
    const child = start(["inventory", "rebuild"], { env });
    children.push(child);
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    await expect
      .poll(async () => (await json(["status"], env)).report.rebuild, { timeout: 30_000, interval: 20 })
      .toBeDefined();
    const exited = once(child, "exit");
    child.kill("SIGINT");
    expect(await exited).toEqual([130, null]);
    expect(output).toContain("Stopped. The inventory is unchanged.");
    const { report } = await json(["status"], env);
    expect(report).toMatchObject({ table: before, models: 9_000, retired: [] });
    expect(report).not.toHaveProperty("rebuild");
  });
});

describe("Another encoder", () => {
  const model = join(home, "tiny");
  const scaled = join(home, "tiny-scaled");

  it("is reported by commands that use the present vectors, and used by a rebuild", async () => {
    writeTinyModel(model);
    const env = await filledHome(20);
    const other = { ...env, MODELSCOUT_ENCODER: model };
    const shown = await run(["models", "show", "acme/m-3"], { env: other });
    expect(shown.code).toBe(0);
    expect(shown.stderr).toBe(
      `The inventory's vectors come from the encoder bundled. To change to ${model}, start a server with MODELSCOUT_ENCODER=${model}, or run inventory rebuild.\n`,
    );
    expect((await run(["inventory", "rebuild"], { env: other })).stdout).toContain(`with vectors of ${model}.`);
    expect((await json(["status"], env)).report).toMatchObject({ encoder: model, dimensions: 8, models: 20 });
    // A command without the variable, beside a server that has it, keeps the present vectors.
    const imported = await importModels(env, [{ name: "acme/cat", description: "red cat" }]);
    expect({ code: imported.code, stderr: imported.stderr }).toEqual({ code: 0, stderr: "" });
    expect((await run(["recommend", "red cat"], { env })).code).toBe(0);
    expect((await run(["inventory", "rebuild"], { env })).stdout).toContain(`Rebuilt 21 models`);
    expect((await run(["inventory", "verify"], { env })).code).toBe(0);
  });

  it("is adopted by a server while it answers, also after a kill, and abandoned when it is gone", async () => {
    writeTinyModel(scaled, { scale: 2 });
    const env = await filledHome(9_000);
    const other = { ...env, MODELSCOUT_ENCODER: scaled };
    const first = await serve(other);
    expect((await fetch(`${first.url}/models/recommend?q=red+cat`)).status).toBe(200);
    const done = async () => (await json(["status"], env)).report.rebuild?.done ?? 0;
    await expect.poll(done, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    expect((await json(["status"], env)).report).toMatchObject({ encoder: "bundled", models: 9_000 });

    const second = await serve(other);
    const encoder = async () => (await json(["status"], env)).report.encoder;
    await expect.poll(encoder, { timeout: 60_000 }).toBe(scaled);
    await expect.poll(second.logged, { timeout: 60_000 }).toContain("The inventory has been re-encoded");
    expect((await fetch(`${second.url}/models/recommend?q=red+cat`)).status).toBe(200);
    expect((await fetch(`${second.url}/models/recommend?q=red+cat`)).status).toBe(200);
    second.child.kill("SIGKILL");
    await once(second.child, "exit");
    expect((await run(["inventory", "verify", "--sample", "10"], { env })).stdout).toContain("No faults: 9,000 models");

    // Without the encoder, its vectors are useless.
    rmSync(scaled, { recursive: true });
    const { code, stderr } = await run(["recommend", "red cat"], { env });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^Made by another version: rebuilding the inventory of 9000 models\nRebuilt the inventory: 9000 models in /,
      ),
    });
    expect((await json(["status"], env)).report).toMatchObject({ encoder: "bundled", models: 9_000 });
  }, 180_000);

  it("that cannot be opened keeps a server from starting", async () => {
    const env = await filledHome(3);
    const missing = join(home, "missing");
    const child = start(["serve", "--port", "0"], { env: { ...env, MODELSCOUT_ENCODER: missing } });
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output).toContain(`The encoder "${missing}" cannot be opened: there is no folder ${missing}`);
  });
});
