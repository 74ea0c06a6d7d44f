import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import { program } from "../cli/support/run-program.ts";
import { databaseEnv } from "../support/database/database-env.ts";
import { startPostgres, type TestPostgres } from "../support/database/postgres.ts";

const { runProcess: run, start } = program();
const folder = mkdtempSync(join(tmpdir(), "modelscout-replicas-"));
let postgres: TestPostgres | { problem: string };
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(async () => {
  if ("stop" in postgres) {
    await postgres.stop();
  }
  rmSync(folder, { recursive: true, force: true });
});

const MODELS = 4_000;

/** A file that has its own fact about every model. */
function fileOf(name: string, fact: (i: number) => object): string {
  const path = join(folder, `${name}.jsonl`);
  const lines = Array.from({ length: MODELS }, (_, i) => JSON.stringify({ name: `acme/m-${i}`, ...fact(i) }));
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

describe("Replicas with separate homes that share an inventory and a database", () => {
  it("write in turn: a model that both add at once exists once, with the facts of both", async (context) => {
    if ("problem" in postgres) {
      return context.skip(postgres.problem);
    }
    const shared = {
      MODELSCOUT_STARTER: "off",
      MODELSCOUT_INVENTORY_URI: join(folder, "inventory"),
      ...databaseEnv(await postgres.createDatabase()),
    };
    const replica = (name: string) => ({ ...shared, MODELSCOUT_HOME: join(folder, name) });
    const shelf = fileOf("shelf", (i) => ({ downloads: i }));
    const attic = fileOf("attic", () => ({ license: "mit" }));
    const runs = await Promise.all([
      run(["import", shelf, "--source", "shelf"], { env: replica("one") }),
      run(["import", attic, "--source", "attic"], { env: replica("two") }),
    ]);
    expect(runs.map(({ code, stdout }) => ({ code, stdout: stdout.split(",")[0] }))).toEqual([
      { code: 0, stdout: "Imported 4" },
      { code: 0, stdout: "Imported 4" },
    ]);

    // A killed one, even in the middle of a write, blocks the others at most until its lease ends.
    const child = start(["import", fileOf("third", () => ({ likes: 7 })), "--source", "third"], {
      env: replica("one"),
    });
    setTimeout(() => child.kill("SIGKILL"), 1_500);
    await once(child, "close");
    const last = await run(["import", fileOf("last", () => ({ context_length: 4096 })), "--source", "last"], {
      env: replica("two"),
    });
    expect(last.code).toBe(0);

    const { database, inventory } = await openInventory(readConfig(replica("three")).config);
    try {
      const rows = await inventory.table.query().select(["key", "sources", "change"]).toArray();
      expect(rows).toHaveLength(MODELS);
      expect(new Set(rows.map(({ key }) => key)).size).toBe(MODELS);
      expect(new Set(rows.map(({ change }) => change)).size).toBe(MODELS);
      for (const { sources } of rows) {
        expect([...sources]).toEqual(expect.arrayContaining(["shelf", "attic", "last"]));
      }
      expect(await inventory.get("acme/m-7")).toMatchObject({ downloads: 7, license: "mit", contextLength: 4096 });
    } finally {
      await database.close();
    }
  }, 180_000);

  it("rebuild in turn: one replaces the table, and another rebuild of the same table is refused", async (context) => {
    if ("problem" in postgres) {
      return context.skip(postgres.problem);
    }
    const shared = {
      MODELSCOUT_STARTER: "off",
      MODELSCOUT_INVENTORY_URI: join(folder, "rebuilt"),
      ...databaseEnv(await postgres.createDatabase()),
    };
    const replica = (name: string) => ({ ...shared, MODELSCOUT_HOME: join(folder, name) });
    await run(["import", fileOf("all", (i) => ({ downloads: i }))], { env: replica("four") });
    const runs = await Promise.all(
      ["four", "five"].map((name) => run(["inventory", "rebuild"], { env: replica(name) })),
    );
    // A process that opens the inventory after the first rebuild rebuilds it again.
    for (const { code, stderr } of runs.filter((each) => each.code !== 0)) {
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Another process has rebuilt the inventory in the meantime"),
      });
    }
    expect(runs.some(({ code }) => code === 0)).toBe(true);
    const { code, stdout } = await run(["inventory", "verify"], { env: replica("six") });
    expect(stdout).toContain("No faults: 4,000 models");
    expect(code).toBe(0);
  }, 180_000);
});
