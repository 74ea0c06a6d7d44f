import { join } from "node:path";
import { connect } from "@lancedb/lancedb";
import { describe, expect, it } from "vitest";
import { normalise } from "../../../src/inventory/facts/normalise.ts";
import { searchableText } from "../../../src/inventory/facts/search-text.ts";
import { NewerInventory } from "../../../src/inventory/inventory-database.ts";
import { verify } from "../../../src/inventory/maintenance/verify.ts";
import { openServing } from "../../../src/inventory/rebuild/open-serving.ts";
import { rebuildBeside } from "../../../src/inventory/rebuild/rebuild.ts";
import { entryRecord } from "../../../src/inventory/rebuild/upgrade-rows.ts";
import { INVENTORY_SCHEMA } from "../../../src/inventory/table/schema.ts";
import { tableNames } from "../../../src/inventory/table/table.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { starterRecords } from "../../../src/sources/starter.ts";
import { writeFirstVersion } from "../support/first-version.ts";
import { manyRecords } from "../support/many-records.ts";
import { testDatabase, testHome } from "../support/test-database.ts";
import { wordEncoder } from "../support/word-encoder.ts";

const bundled = wordEncoder("static-1-words", 16);

/** The models of a table with their text, by key; without the figures and capabilities that come with this version. */
async function entriesOf(folder: string, table: string): Promise<Map<string, string>> {
  const rows = await (await (await connect(folder)).openTable(table))
    .query()
    .select(["key", "entry", "text"])
    .toArray();
  return new Map(
    rows.map(({ key, entry, text }) => {
      const { evaluations: _, capabilities: __, ...model } = JSON.parse(entry);
      delete model.factsFrom.capabilities;
      return [key, `${JSON.stringify(model)} ${text}`];
    }),
  );
}

describe("An inventory of the first version", () => {
  it("is upgraded when it is opened: every model stays the same, and gets its facts", async () => {
    const home = testHome();
    const folder = join(home, "inventory");
    const starter = [];
    for await (const record of starterRecords()) {
      starter.push(record);
    }
    await writeFirstVersion(folder, bundled, [...starter.slice(0, 400), ...manyRecords(5)], { source: "hub" });
    const before = await entriesOf(folder, "models-static-1-words");

    const database = await testDatabase(home, { bundled });
    const progress: Array<[number, number]> = [];
    const inventory = await openServing(database, {
      encoder: "bundled",
      onProgress: (done, total) => void progress.push([done, total]),
    });
    expect(progress.at(-1)).toEqual([405, 405]);
    expect(await entriesOf(folder, inventory.generation.table)).toEqual(before);
    expect((await verify(database)).problems).toEqual([]);
    expect(await database.generations.list()).toMatchObject([
      { state: "serving", schema: INVENTORY_SCHEMA, encoder: "bundled" },
      { state: "retired", schema: 1, table: "models-static-1-words" },
    ]);
    const rows = await inventory.table.query().select(["records", "initial", "change"]).toArray();
    expect(rows.every(({ initial }) => initial)).toBe(true);
    expect(rows.map(({ change }) => change).sort((a, b) => a - b)).toEqual(rows.map((_, i) => i + 1));
    const row = await inventory.table.query().where("key = 'acme/m-3'").select(["records"]).toArray();
    expect(JSON.parse(row[0].records)).toEqual([
      {
        source: "hub",
        seenAt: 1_700_000_000_000,
        record: expect.objectContaining({ name: "acme/m-3", card: "What the maker says of number 3." }),
      },
    ]);
    // A source's new facts replace those from before the upgrade.
    await ingest(database, [{ name: "acme/m-3", license: "isc" }], { source: "hub" });
    expect(await inventory.get("acme/m-3")).toMatchObject({ license: "isc", sources: [{ name: "hub" }] });
    expect(await inventory.size()).toBe(405);
  });

  it("keeps the models of all its encoders' tables, the configured encoder's first", async () => {
    const home = testHome();
    const folder = join(home, "inventory");
    const other = wordEncoder("transformers-tiny-q8-abc", 8);
    await writeFirstVersion(folder, other, manyRecords(30, 0, { license: "gpl-3.0" }));
    await writeFirstVersion(folder, bundled, manyRecords(30, 20));
    const inventory = await openServing(await testDatabase(home, { bundled }), { encoder: "bundled" });
    expect(await inventory.size()).toBe(50);
    expect((await inventory.get("acme/m-10"))?.license).toBe("gpl-3.0");
    expect((await inventory.get("acme/m-25"))?.license).toBe("apache-2.0");
  });

  it("is upgraded from the beginning after an interruption, and once when two processes open it", async () => {
    const home = testHome();
    await writeFirstVersion(join(home, "inventory"), bundled, manyRecords(5_000));
    const stop = new AbortController();
    const first = await testDatabase(home, { bundled });
    await expect(
      openServing(first, {
        encoder: "bundled",
        signal: stop.signal,
        onProgress: (done) => done > 0 && stop.abort(new Error("stopped")),
      }),
    ).rejects.toThrow("stopped");
    const [one, two] = await Promise.all([
      openServing(first, { encoder: "bundled" }),
      openServing(await testDatabase(home, { bundled }), { encoder: "bundled" }),
    ]);
    expect(two.generation.table).toBe(one.generation.table);
    expect(await one.size()).toBe(5_000);
    expect((await verify(first)).problems).toEqual([]);
  });
});

describe("An inventory of a newer version", () => {
  it("is refused with advice, and not changed", async () => {
    const home = testHome();
    const database = await testDatabase(home, { bundled });
    await openServing(database, { encoder: "bundled" });
    const [serving] = await database.generations.list();
    await database.generations.save([{ ...(serving as NonNullable<typeof serving>), schema: INVENTORY_SCHEMA + 1 }]);
    const later = await testDatabase(home, { bundled });
    const opening = openServing(later, { encoder: "bundled" });
    await expect(opening).rejects.toThrow(NewerInventory);
    await expect(opening).rejects.toThrow(/has version \d+, because a newer modelscout wrote it.*Update modelscout/s);
    expect(await later.generations.list()).toMatchObject([{ state: "serving", schema: INVENTORY_SCHEMA + 1 }]);
  });
});

describe("An inventory that is rebuilt", () => {
  it("is made from the facts of its sources, whatever the old rows contained", async () => {
    const home = testHome();
    const database = await testDatabase(home, { bundled });
    const inventory = await openServing(database, { encoder: "bundled" });
    await ingest(database, manyRecords(20), { source: "one" });
    await ingest(database, [{ name: "acme/m-3", license: "isc" }], { source: "two" });
    const columns = ["key", "entry", "text", "records", "change", "added_change", "facts_change", "initial"];
    const rowsOf = async ({ table }: typeof inventory) =>
      (await table.query().select(columns).toArray()).map((row) => JSON.stringify(row)).sort();
    const before = await rowsOf(inventory);
    // As other rules would have derived it.
    await inventory.table.update({
      where: "key = 'acme/m-7'",
      values: { entry: '{"old":true}', text: "", family: "x" },
    });
    expect((await verify(database)).problems.length).toBeGreaterThan(0);
    const plan = { sources: [inventory.generation], built: "anew", encoder: bundled, encoderName: "bundled" } as const;
    await rebuildBeside(database, plan);
    expect(await rowsOf(await database.serving({ fresh: true }))).toEqual(before);
    expect((await verify(database)).problems).toEqual([]);
  });

  it("stays unchanged when the rebuild is stopped, and leaves no table behind", async () => {
    const home = testHome();
    const database = await testDatabase(home, { bundled });
    const inventory = await openServing(database, { encoder: "bundled" });
    await ingest(database, manyRecords(5_000), { source: "one" });
    const stop = new AbortController();
    const plan = { sources: [inventory.generation], built: "anew", encoder: bundled, encoderName: "bundled" } as const;
    const onProgress = (done: number) => done > 0 && stop.abort(new Error("stopped"));
    await expect(rebuildBeside(database, plan, { signal: stop.signal, onProgress })).rejects.toThrow("stopped");
    expect(await database.generations.list({ fresh: true })).toEqual([inventory.generation]);
    expect((await tableNames(database.connection)).filter((name) => name.startsWith("models-"))).toEqual([
      inventory.generation.table,
    ]);
    expect((await verify(database)).problems).toEqual([]);
  });
});

describe("A record that is derived from a model", () => {
  it("gives the same model and text", async () => {
    let count = 0;
    for await (const record of starterRecords()) {
      const model = normalise(record, { source: "huggingface", seenAt: 5 });
      const text = searchableText(model, record.card);
      const read = entryRecord(model, text);
      const again = normalise(read, { source: "huggingface", seenAt: 5 });
      expect(again).toEqual(model);
      expect(searchableText(again, read.card)).toBe(text);
      count++;
    }
    expect(count).toBeGreaterThan(1_000);
  });
});
