import { readdirSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenedInventory } from "../../../src/app/open-inventory.ts";
import { Maintenance, repairIndexes } from "../../../src/inventory/maintenance/maintenance.ts";
import { verify } from "../../../src/inventory/maintenance/verify.ts";
import { openServing } from "../../../src/inventory/rebuild/open-serving.ts";
import { indexesFor } from "../../../src/inventory/table/schema.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { manyRecords } from "../support/many-records.ts";
import { testDatabase, testHome } from "../support/test-database.ts";
import { wordEncoder } from "../support/word-encoder.ts";

const encoder = wordEncoder("one");

/** Opens an inventory that another process filled, so that none of it is in memory, then damages some of its files. */
async function damaged(models: number, damage: (indexFiles: string[]) => void): Promise<OpenedInventory> {
  const home = testHome();
  const writing = await testDatabase(home, { one: encoder });
  const filled = await openServing(writing, { encoder: "one" });
  await ingest(writing, manyRecords(models), { source: "s" });
  const folder = join(home, "inventory", `${filled.generation.table}.lance`, "_indices");
  await writing.close();
  const database = await testDatabase(home, { one: encoder });
  const inventory = await openServing(database, { encoder: "one" });
  damage(filesBelow(folder));
  return { database, inventory };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

const truncated = (files: string[]) => {
  for (const file of files) {
    truncateSync(file, 10);
  }
};

describe("Indexes that cannot be read", () => {
  it("fail no call: searches and lists scan the rows, and maintenance rebuilds the indexes", async () => {
    const { database, inventory } = await damaged(5_100, truncated);
    const columnsOf = async () => (await inventory.table.listIndices()).map(({ columns }) => columns[0]).sort();
    const [vector] = (await encoder.encode(["Model number 7 of a long series."])) as [Float32Array];
    const reads = await Promise.all([
      inventory.search.rows({ text: "number 7", limit: 3 }),
      inventory.search.rows({ vector, limit: 3 }),
      inventory.taskPage("translation", 5),
      inventory.get("acme/m-7"),
      inventory.count({ license: "mit" }),
    ]);
    expect(reads.slice(0, 2).map((rows) => (rows as bigint[]).length)).toEqual([3, 3]);
    expect(reads[2]).toMatchObject({ total: 1_275 });
    expect(reads[3]).toMatchObject({ name: "acme/m-7" });
    expect(await columnsOf()).toEqual([]);

    const logged: string[] = [];
    const log = (_facts: object, message: string) => void logged.push(message);
    const maintenance = new Maintenance(database, inventory, {
      encoder: "one",
      onServing: () => {},
      log: { info: log, warn: log, error: log },
      maintainEveryMs: 50,
    });
    await expect.poll(columnsOf, { timeout: 30_000 }).toEqual(
      indexesFor(5_100)
        .map(([column]) => column)
        .sort(),
    );
    await maintenance.stop();
    expect(logged).toContain("An index of the inventory is missing or unreadable; it is being rebuilt");
    const { problems } = await verify(database, { sample: 20 });
    expect(problems).toEqual([]);
  });

  it("are found by verify, and rebuilt at the start", async () => {
    const { database } = await damaged(40, truncated);
    expect((await verify(database)).problems).toMatchObject([
      { what: "its index of text cannot be read; a start, or inventory compact, rebuilds it" },
    ]);
    await repairIndexes(database);
    expect((await verify(database)).problems).toEqual([]);
  });

  it("are kept if the rows cannot be read", async () => {
    const { database, inventory } = await damaged(40, (indexFiles) => {
      const table = join(indexFiles[0] as string, "..", "..", "..");
      truncated(filesBelow(join(table, "data")));
    });
    await expect(inventory.get("acme/m-7")).rejects.toThrow();
    expect(await inventory.table.listIndices()).toHaveLength(1);
    expect((await verify(database)).problems).toMatchObject([
      { what: expect.stringMatching(/^the table models-.* cannot be read: a file of it is missing or damaged$/) },
    ]);
  });
});
