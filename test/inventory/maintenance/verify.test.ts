import { describe, expect, it } from "vitest";
import type { OpenedInventory } from "../../../src/app/open-inventory.ts";
import type { Inventory } from "../../../src/inventory/inventory.ts";
import { verify } from "../../../src/inventory/maintenance/verify.ts";
import { openServing } from "../../../src/inventory/rebuild/open-serving.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { manyRecords } from "../support/many-records.ts";
import { testDatabase, testHome } from "../support/test-database.ts";
import { wordEncoder } from "../support/word-encoder.ts";

const encoders = { one: wordEncoder("one"), two: wordEncoder("two") };

async function filled(count = 40): Promise<OpenedInventory> {
  const database = await testDatabase(testHome(), encoders);
  const inventory = await openServing(database, { encoder: "one" });
  await ingest(database, manyRecords(count), { source: "s" });
  return { database, inventory };
}

const where = "key = 'acme/m-7'";

/** Writes a row again. */
async function addAgain({ table }: Inventory, change: object): Promise<void> {
  const [row] = await table.query().where(where).toArray();
  const lists = ["labels", "types", "languages", "capabilities", "sources"].map((name) => [name, [...row[name]]]);
  await table.add([{ ...row.toJSON(), ...Object.fromEntries(lists), vector: [...row.vector], ...change }]);
}

describe("Verifying", () => {
  it("finds nothing wrong with an inventory that was filled, changed and maintained", async () => {
    const { database } = await filled(6_000);
    await ingest(database, manyRecords(50, 5, { license: "isc" }), { source: "other" });
    const progress: Array<[number, number]> = [];
    const { models, sampled, problems } = await verify(database, {
      sample: 30,
      onProgress: (done, total) => void progress.push([done, total]),
    });
    expect({ models, sampled, problems }).toEqual({ models: 6_000, sampled: 30, problems: [] });
    expect(progress.at(-1)).toEqual([6_000, 6_000]);
  });

  it.each<[string, Record<string, string | number | null>, string[]]>([
    ["an entry that is not JSON", { entry: "{" }, ["its entry cannot be read"]],
    ["an entry that is nothing", { entry: "null" }, ["its entry cannot be read"]],
    ["an entry that is no model", { entry: "{}" }, ["its entry cannot be read"]],
    [
      "an entry of another model",
      { entry: JSON.stringify({ key: "a/b", name: "a/b" }) },
      ["its key does not match its name", "its entry or the facts of its sources do not describe a model"],
    ],
    [
      "facts of sources that are not a record",
      { records: "[null]" },
      ["its entry or the facts of its sources do not describe a model"],
    ],
    ["facts of sources, lost", { records: "[]" }, ["the facts of its sources cannot be read"]],
    [
      "a fact in a column that the entry has not",
      { downloads: 5 },
      ["its column downloads does not match the rest of its row"],
    ],
    ["a family of its own", { family: "x" }, ["its column family does not match the rest of its row"]],
    ["another text", { text: "something else" }, ["its text does not match its entry"]],
    ["a write without a number", { change: 0 }, ["the number of its last write is not a positive whole number"]],
    ["a number that is taken", { change: 1 }, ["the number of its last write is not unique"]],
    ["numbers out of order", { added_change: 99 }, ["the numbers of its writes are out of order"]],
  ])("reports %s, and names the model", async (_, values, expected) => {
    const { database, inventory } = await filled();
    await inventory.table.update({ where, values });
    const { problems } = await verify(database, { sample: 2 });
    const whats = problems.map(({ what }) => what);
    for (const what of expected) {
      expect(whats).toContain(what);
    }
    expect(problems.some(({ models }) => models.includes("acme/m-7") || models.includes("acme/m-0"))).toBe(true);
  });

  it.each([
    [
      "vectors that are no numbers",
      [Number.POSITIVE_INFINITY, ...Array(15).fill(0)],
      "its vector contains a value that is not a number",
    ],
    ["vectors of another length", Array(16).fill(2), "its vector is not of length 1"],
    ["vectors of another text", [1, ...Array(15).fill(0)], "its vector does not match its text"],
  ])("tells of %s", async (_, vector, what) => {
    const { database, inventory } = await filled(5);
    await inventory.table.delete("key <> 'acme/m-0'");
    await ingest(database, [{ name: "acme/m-7" }], { source: "s" });
    await addAgain(inventory, { key: "acme/m-8", vector });
    await inventory.table.delete("key = 'acme/m-7'");
    const { problems } = await verify(database, { sample: 2 });
    expect(problems).toContainEqual({ what, count: 1, models: ["acme/m-8"] });
  });

  it("reports models that exist twice", async () => {
    const { database, inventory } = await filled();
    await addAgain(inventory, {});
    const { models, problems } = await verify(database, { sample: 2 });
    expect(models).toBe(41);
    expect(problems).toContainEqual({ what: "a key occurs twice", count: 1, models: ["acme/m-7"] });
  });

  it("reports a missing table, one too many, and vectors whose encoder has changed", async () => {
    const { database } = await filled();
    const [serving] = await database.generations.list();
    const named = serving as NonNullable<typeof serving>;
    const verdict = async () => (await verify(database, { sample: 2 })).problems.map(({ what }) => what);
    await database.generations.save([{ ...named, encoder: "two" }]);
    expect(await verdict()).toEqual(["its vectors were made by one, but two now means two"]);
    await database.generations.save([{ ...named, encoder: "three" }]);
    expect(await verdict()).toEqual(["its encoder three cannot be opened: there is no encoder three"]);
    await database.generations.save([named, { ...named, table: "models-other" }]);
    expect(await verdict()).toEqual(["more than one table is marked as the one in use"]);
    await database.generations.save([{ ...named, schema: 99 }]);
    expect(await verdict()).toEqual([expect.stringContaining("it has version 99")]);
    await database.generations.save([named]);
    await database.connection.dropTable(named.table);
    expect(await verdict()).toEqual(["the table in use is missing"]);
  });
});
