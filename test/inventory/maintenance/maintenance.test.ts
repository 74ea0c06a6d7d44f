import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OpenedInventory } from "../../../src/app/open-inventory.ts";
import type { Inventory } from "../../../src/inventory/inventory.ts";
import { compact, Maintenance, type MaintenanceOptions } from "../../../src/inventory/maintenance/maintenance.ts";
import { inventoryStatus } from "../../../src/inventory/maintenance/status.ts";
import { openServing } from "../../../src/inventory/rebuild/open-serving.ts";
import { dropRetired, rebuildBeside } from "../../../src/inventory/rebuild/rebuild.ts";
import { dueMaintenance, type TableHealth, tableHealth } from "../../../src/inventory/table/table-health.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { manyRecords } from "../support/many-records.ts";
import { testDatabase, testHome } from "../support/test-database.ts";
import { wordEncoder } from "../support/word-encoder.ts";

const HOUR = 3_600_000;

/** The health of a table without due work, at the time `NOW`. */
const NOW = 100 * HOUR;
const index = { column: "text", type: "FTS", indexedRows: 90_000, unindexedRows: 0, segments: 1, bytes: 1 };
const wellKept: TableHealth = {
  rows: 90_000,
  fragments: 1,
  versions: 1,
  oldestVersionAt: NOW - 1_000,
  indexes: [index],
};
const care = (change: Partial<TableHealth>) => dueMaintenance({ ...wellKept, ...change }, NOW);
const vectors = (segments: number) => [index, { ...index, column: "vector", type: "IVF_RQ", segments }];

describe("What a table needs", () => {
  it.each<[string, Partial<TableHealth>, { optimise: boolean; retrain: boolean }]>([
    ["nothing, when it is in good order", {}, { optimise: false, retrain: false }],
    [
      "nothing for a few new rows",
      { indexes: [{ ...index, unindexedRows: 499 }] },
      { optimise: false, retrain: false },
    ],
    ["indexing for many", { indexes: [{ ...index, unindexedRows: 500 }] }, { optimise: true, retrain: false }],
    ["merging of many small files", { fragments: 21 }, { optimise: true, retrain: false }],
    [
      "no merging of files that cannot be merged",
      { fragments: 24, indexes: vectors(8) },
      { optimise: false, retrain: false },
    ],
    ["one index in place of many parts", { fragments: 9, indexes: vectors(9) }, { optimise: false, retrain: true }],
    [
      "to drop many old versions",
      { versions: 20, oldestVersionAt: NOW - 20 * 60_000, oldestReplacedAt: NOW - 11 * 60_000 },
      { optimise: true, retrain: false },
    ],
    [
      "to keep those that may be read",
      { versions: 200, oldestVersionAt: NOW - 99 * HOUR, oldestReplacedAt: NOW - 9 * 60_000 },
      { optimise: false, retrain: false },
    ],
    [
      "to drop one that was replaced long ago",
      { versions: 2, oldestVersionAt: NOW - 9 * HOUR, oldestReplacedAt: NOW - 7 * HOUR },
      { optimise: true, retrain: false },
    ],
    ["to keep its only one", { versions: 1, oldestVersionAt: NOW - 99 * HOUR }, { optimise: false, retrain: false }],
  ])("is %s", (_, health, expected) => {
    expect(care(health)).toEqual(expected);
  });
});

const encoders = () => ({ one: wordEncoder("one"), two: wordEncoder("two", 24) });

async function filled(count: number, home = testHome()): Promise<OpenedInventory> {
  const database = await testDatabase(home, encoders());
  const inventory = await openServing(database, { encoder: "one" });
  await ingest(database, manyRecords(count), { source: "s" });
  return { database, inventory };
}

describe("A table that is written to", () => {
  it("gets a few new rows without a new index, and finds them", async () => {
    const { database, inventory } = await filled(6_000);
    const [before] = await inventory.table.listIndices();
    await ingest(database, [{ name: "acme/zorilla", description: "Finds zorillas." }], { source: "s" });
    const { indexes } = await tableHealth(inventory.table);
    expect(indexes.find(({ column }) => column === "text")).toMatchObject({ unindexedRows: 1 });
    expect((await inventory.table.listIndices())[0]?.createdAt).toEqual(before?.createdAt);
    const [found = []] = await inventory.search.models([{ text: "zorillas", limit: 3 }]);
    expect(found.map(({ model }) => model.name)).toEqual(["acme/zorilla"]);
    expect((await inventory.get("acme/zorilla"))?.name).toBe("acme/zorilla");
  });

  it("has all rows indexed and its files merged after many new rows", async () => {
    const { database, inventory } = await filled(3_000);
    for (let i = 0; i < 25; i++) {
      await ingest(database, manyRecords(2, 3_000 + 2 * i), { source: "s" });
    }
    const { fragments, indexes } = await tableHealth(inventory.table);
    expect(fragments).toBeLessThan(22);
    expect(indexes.every(({ unindexedRows }) => unindexedRows < 50)).toBe(true);
  });

  it("is compacted to one file, with whole indexes", async () => {
    const { database, inventory } = await filled(6_000);
    for (let i = 0; i < 3; i++) {
      await ingest(database, manyRecords(600, 6_000 + 600 * i), { source: "s" });
      await ingest(database, manyRecords(5, 100 * i, { license: "isc" }), { source: "s" });
    }
    await compact(database);
    const { rows, fragments, indexes } = await tableHealth(inventory.table);
    expect({ rows, fragments }).toEqual({ rows: 7_800, fragments: 1 });
    expect(indexes.map(({ unindexedRows, segments }) => [unindexedRows, segments])).toEqual(indexes.map(() => [0, 1]));
  });
});

/** The messages that maintenance logs. */
function fakeLog() {
  const lines: string[] = [];
  const note = (_: object, message: string) => void lines.push(message);
  return { lines, log: { info: note, warn: note, error: note } };
}

function keep({ database, inventory }: OpenedInventory, options: Partial<MaintenanceOptions> = {}) {
  const { lines, log } = fakeLog();
  const served: Inventory[] = [];
  const maintenance = new Maintenance(database, inventory, {
    encoder: "one",
    onServing: (serving) => void served.push(serving),
    log,
    followEveryMs: 20,
    maintainEveryMs: 20,
    ...options,
  });
  return { maintenance, served, lines };
}

describe("The maintenance of a service", () => {
  it("re-encodes for its encoder, and then serves the new vectors", async () => {
    const { maintenance, served, lines } = keep(await filled(300), { encoder: "two" });
    await expect.poll(() => served.length).toBe(1);
    expect(served[0]?.encoder.id).toBe("two");
    expect(await served[0]?.size()).toBe(300);
    await maintenance.stop();
    expect(lines[0]).toBe("The inventory is being re-encoded; until then the old vectors are used");
    // The check for the serving table may come first.
    expect(lines.slice(1).sort()).toEqual([
      "The inventory has been re-encoded",
      "The inventory uses another table from now on",
    ]);
  });

  it("follows another process's rebuild, and does not undo it", async () => {
    const home = testHome();
    const { maintenance, served } = keep(await filled(50, home));
    const other = await testDatabase(home, encoders());
    const { generation } = await other.serving();
    const encoder = await other.encoder("two");
    await rebuildBeside(other, { sources: [generation], built: "anew", encoder, encoderName: "two" });
    await expect.poll(() => served.map((each) => each.encoder.id)).toEqual(["two"]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await maintenance.stop();
    expect((await other.serving({ fresh: true })).encoder.id).toBe("two");
  });

  it("keeps serving its table when it cannot follow, and logs the reason once", async () => {
    const home = testHome();
    const opened = await filled(50, home);
    const { maintenance, served, lines } = keep(opened);
    const three = wordEncoder("three");
    const other = await testDatabase(home, { ...encoders(), three });
    const { generation } = await other.serving();
    await rebuildBeside(other, { sources: [generation], built: "encoder", encoder: three, encoderName: "three" });
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await maintenance.stop();
    expect(lines).toEqual([
      "The inventory has a new table, but it cannot be used: The inventory's vectors were made by the encoder three (three), which cannot be used: there is no encoder three",
    ]);
    expect(served).toEqual([]);
    expect((await opened.inventory.get("acme/m-7"))?.name).toBe("acme/m-7");
  });

  it("indexes rows that others wrote", async () => {
    const opened = await filled(6_000);
    const { inventory } = opened;
    // As after a process that was killed between writing and indexing.
    const rows = await inventory.table.query().limit(600).toArray();
    const doubles = rows.map((row, i) => ({
      ...row.toJSON(),
      key: `double/${i}`,
      change: 10_000 + i,
      ...Object.fromEntries(
        ["labels", "types", "languages", "capabilities", "sources"].map((name) => [name, [...row[name]]]),
      ),
      vector: Array.from(row.vector.toArray() as Float32Array),
    }));
    await inventory.table.add(doubles);
    const unindexed = async () =>
      (await tableHealth(inventory.table)).indexes.find(({ column }) => column === "text")?.unindexedRows;
    expect(await unindexed()).toBe(600);
    const { maintenance } = keep(opened);
    await expect.poll(unindexed, { timeout: 60_000 }).toBe(0);
    await maintenance.stop();
  });

  it("drops a replaced table when no process reads it any more, and not before", async () => {
    const home = testHome();
    const { database, inventory } = await filled(20, home);
    const { generation, encoder } = inventory;
    await rebuildBeside(database, { sources: [generation], built: "anew", encoder, encoderName: "one" });
    const folder = join(home, "inventory", `${generation.table}.lance`);
    await dropRetired(database);
    expect(existsSync(folder)).toBe(true);
    const all = await database.generations.list({ fresh: true });
    await database.generations.save(all.map((each) => ({ ...each, since: Date.now() - 11 * 60_000 })));
    const { maintenance } = keep({ database, inventory: await database.serving() });
    await expect.poll(() => existsSync(folder)).toBe(false);
    await maintenance.stop();
    expect(await database.generations.list({ fresh: true })).toMatchObject([{ state: "serving" }]);
    expect(await inventoryStatus(database)).toMatchObject({ serving: { rows: 20 }, retired: [], isOlder: false });
  });

  it("can be stopped in the middle of a re-encoding, which the next one continues", async () => {
    const home = testHome();
    const { inventory } = await filled(6_000, home);
    const halfWay = Promise.withResolvers<void>();
    const two = wordEncoder("two", 24, (encoded) => {
      if (encoded > 5_000) {
        halfWay.resolve();
      }
    });
    const database = await testDatabase(home, { ...encoders(), two });
    const first = keep({ database, inventory: await database.serving() }, { encoder: "two" });
    await halfWay.promise;
    await first.maintenance.stop();
    const encoded = two.encoded.texts;
    expect(encoded).toBeLessThan(6_000);
    expect(first.lines).toEqual(["The inventory is being re-encoded; until then the old vectors are used"]);
    expect(await inventoryStatus(database)).toMatchObject({
      serving: { generation: { encoder: "one" } },
      rebuild: { generation: { encoder: "two" }, done: 4_096, total: 6_000, isRunning: false },
    });
    const second = keep({ database, inventory: await database.serving() }, { encoder: "two" });
    await expect.poll(() => second.served.length, { timeout: 60_000 }).toBe(1);
    await second.maintenance.stop();
    expect(two.encoded.texts).toBe(encoded + 6_000 - 4_096);
    expect(await inventory.size()).toBe(await second.served[0]?.size());
  });
});
