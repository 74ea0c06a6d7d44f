import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import type { Inventory } from "../../../src/inventory/inventory.ts";
import type { InventoryDatabase } from "../../../src/inventory/inventory-database.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { beginSync, type FinishOptions } from "../../../src/inventory/write/sync-session.ts";
import { openTestInventory } from "../../support/service/open-test-inventory.ts";

const DAY = 86_400_000;
const T0 = Date.UTC(2026, 8, 1);

const named = (name: string, more: Partial<SourceRecord> = {}): SourceRecord => ({
  name,
  task_types: ["text-generation"],
  ...more,
});

/** Runs one sync of a source from its beginning to its end. */
async function sync(
  database: InventoryDatabase,
  records: readonly SourceRecord[],
  {
    day = 0,
    source = "hub",
    complete = true,
    ...finish
  }: { day?: number; source?: string } & Partial<FinishOptions> = {},
) {
  const session = await beginSync(database, { source, seenAt: T0 + day * DAY });
  const written = await session.write(records);
  return { ...written, ...(await session.finish({ complete, ...finish })) };
}

async function names(inventory: Inventory): Promise<string[]> {
  const page = await inventory.taskPage("text-generation", 500);
  return (page?.models ?? []).map(({ name }) => name).sort();
}

describe("A sync", () => {
  it("adds and changes models, and writes nothing for unchanged ones", async () => {
    const { database, inventory } = await openTestInventory([]);
    const models = [named("a/one", { license: "mit" }), named("a/two"), named("a/three", { card: "About three." })];
    expect(await sync(database, models)).toMatchObject({ added: 3, changed: 0, unchanged: 0, vanished: 0 });
    const [version, before] = [await inventory.table.version(), await inventory.get("a/one")];

    const session = await beginSync(database, { source: "hub", seenAt: T0 + DAY });
    expect(await session.write(models)).toEqual({ added: 0, changed: 0, unchanged: 3 });
    expect(await inventory.table.version(), "the table is as it was").toBe(version);
    expect(await session.write([named("A/One", { license: "isc" }), named("a/four")])).toEqual({
      added: 1,
      changed: 1,
      unchanged: 0,
    });
    await session.finish({ complete: true });
    expect(await inventory.get("a/one")).toEqual({
      ...before,
      name: "A/One",
      license: "isc",
      sources: [{ name: "hub", seenAt: T0 + DAY }],
    });
    expect(await names(inventory)).toEqual(["A/One", "a/four", "a/three", "a/two"]);
  });

  it("marks its records with its own name, and merges a model that other sources have", async () => {
    const { database, inventory } = await openTestInventory([]);
    await sync(database, [named("a/one", { source: "forged", license: "mit" })], { source: "localai" });
    await sync(database, [named("A/One", { license: "isc", downloads: 3 })], { source: "huggingface", day: 1 });
    await ingest(database, [named("a/ONE", { context_length: 4096 })], { source: "shelf", seenAt: T0 + 2 * DAY });
    expect(await inventory.size()).toBe(1);
    expect(await inventory.get("a/one")).toMatchObject({
      name: "A/One",
      source: "huggingface",
      license: "isc",
      contextLength: 4096,
      factsFrom: { context_length: "shelf" },
      sources: [{ name: "huggingface" }, { name: "localai" }, { name: "shelf" }],
    });
  });

  it("of the Hub replaces the starter catalogue's facts, and keeps those that the Hub lacks", async () => {
    const { database, inventory } = await openTestInventory();
    const before = await inventory.get("hexgrad/Kokoro-82M");
    const others = await inventory.get("openai/whisper-large-v3");
    const kokoro = { name: "hexgrad/Kokoro-82M", downloads: 1, license: "mit", tags: ["region:us"] };
    const counts = await sync(database, [kokoro], { source: "huggingface", complete: false });
    expect(counts).toMatchObject({ added: 0, changed: 1, vanished: 0 });
    const synced = await inventory.get("hexgrad/Kokoro-82M");
    expect(synced).toMatchObject({
      source: "huggingface",
      downloads: 1,
      license: "mit",
      description: before?.description,
      parameters: before?.parameters,
      variants: before?.variants,
      sources: [{ name: "huggingface", seenAt: T0 }],
      factsFrom: { description: "modelscout's starter catalogue", parameters: before?.factsFrom.parameters },
    });
    expect(synced?.factsFrom).not.toHaveProperty("license");
    expect(await inventory.get("openai/whisper-large-v3")).toEqual(others);
  });

  it("uses the last record of a name that comes twice", async () => {
    const { database, inventory } = await openTestInventory([]);
    const counts = await sync(database, [named("a/x", { license: "mit" }), named("A/X", { license: "isc" })]);
    expect(counts).toMatchObject({ added: 1 });
    expect(await inventory.get("a/x")).toMatchObject({ name: "A/X", license: "isc" });
  });

  it("encodes a text once: a model keeps its vector if only its figures change", async () => {
    const { database, inventory } = await openTestInventory([]);
    await sync(database, [named("a/one", { downloads: 1 })]);
    const encode = inventory.encoder.encode.bind(inventory.encoder);
    const encoded: string[] = [];
    inventory.encoder.encode = (texts) => {
      encoded.push(...texts);
      return encode(texts);
    };
    await sync(database, [named("a/one", { downloads: 2 })]);
    expect(encoded).toEqual([]);
    expect(await inventory.get("a/one")).toMatchObject({ downloads: 2 });
    await sync(database, [named("a/one", { downloads: 2, description: "Writes poems." })]);
    expect(encoded).toHaveLength(1);
    inventory.encoder.encode = encode;
    const [vector] = await encode(encoded);
    expect((await inventory.load(["a/one"]))[0]?.vector).toEqual(vector);
  });
});

describe("A model that its source no longer has", () => {
  it("stays for the grace period, then is removed; a restored one stays", async () => {
    const { database, inventory } = await openTestInventory([]);
    const all = [named("a/one"), named("a/two"), named("a/three")];
    await sync(database, all);
    expect(await sync(database, all.slice(0, 1), { day: 1 })).toMatchObject({ vanished: 2, removed: 0 });
    expect(await sync(database, all.slice(0, 1), { day: 3 })).toMatchObject({ vanished: 0, removed: 0 });
    expect(await names(inventory)).toEqual(["a/one", "a/three", "a/two"]);
    expect(await sync(database, all.slice(0, 2), { day: 7 })).toMatchObject({ returned: 1, vanished: 0, removed: 0 });
    expect(await sync(database, all.slice(0, 2), { day: 8 })).toMatchObject({ returned: 0, removed: 1 });
    expect(await names(inventory)).toEqual(["a/one", "a/two"]);
    expect(await inventory.get("a/three")).toBeUndefined();
    const [found = []] = await inventory.search.models([{ text: "three", limit: 10 }]);
    expect(found.map(({ model }) => model.key)).not.toContain("a/three");
    expect(await sync(database, all, { day: 9 })).toMatchObject({ added: 1, returned: 0 });
  });

  it("stays while another source has it, without the facts of the source that no longer has it", async () => {
    const { database, inventory } = await openTestInventory([]);
    await sync(database, [named("a/one", { license: "mit" })], { source: "huggingface" });
    await sync(database, [named("a/one", { context_length: 4096 })], { source: "localai" });
    expect(await sync(database, [], { source: "huggingface", day: 1 })).toMatchObject({ vanished: 1 });
    expect(await inventory.get("a/one")).toMatchObject({ license: "mit", source: "huggingface" });
    expect(await sync(database, [], { source: "huggingface", day: 9 })).toMatchObject({ removed: 0 });
    const left = await inventory.get("a/one");
    expect(left).toMatchObject({ source: "localai", contextLength: 4096, sources: [{ name: "localai" }] });
    expect(left).not.toHaveProperty("license");
    await sync(database, [], { source: "localai", day: 10 });
    expect(await sync(database, [], { source: "localai", day: 17 })).toMatchObject({ removed: 1 });
    expect(await inventory.size()).toBe(0);
  });

  it("loses the catalogue's facts of the same source too", async () => {
    const { database } = await openTestInventory([]);
    await ingest(database, [named("a/one")], { source: "huggingface", seenAt: T0, catalogue: true });
    expect(await sync(database, [named("a/two")], { source: "huggingface" })).toMatchObject({ added: 1, vanished: 1 });
    expect(await sync(database, [named("a/two")], { source: "huggingface", day: 8 })).toMatchObject({ removed: 1 });
  });

  it("is not searched for when the listing was cut short and the source cannot be asked", async () => {
    const { database } = await openTestInventory([]);
    await sync(database, [named("a/one"), named("a/two")]);
    expect(await sync(database, [named("a/one")], { day: 1, complete: false })).toMatchObject({ vanished: 0 });
    await sync(database, [named("a/one")], { day: 2 });
    // A complete listing lacked it, and since then no sync checked.
    expect(await sync(database, [], { day: 20, complete: false })).toMatchObject({ removed: 0 });
  });

  it("is asked about, a few each time and all in turn, and again before its removal", async () => {
    const { database, inventory } = await openTestInventory([]);
    const gone = new Set(["Acme/m-2", "Acme/m-5"]);
    const asked: string[][] = [];
    const confirmGone = async (some: readonly string[]) => {
      asked.push([...some]);
      return new Set(some.filter((name) => gone.has(name)));
    };
    const listed = (count: number) => Array.from({ length: count }, (_, i) => named(`Acme/m-${i}`));
    const short = { complete: false, confirmGone, confirmLimit: 3 };
    await sync(database, listed(8), short);
    expect(asked, "all was seen").toEqual([]);
    expect(await sync(database, listed(1), { ...short, day: 1 })).toMatchObject({ vanished: 1 });
    expect(await sync(database, listed(1), { ...short, day: 2 })).toMatchObject({ vanished: 1 });
    expect(await sync(database, listed(1), { ...short, day: 3 })).toMatchObject({ vanished: 0 });
    expect(asked).toEqual([
      ["Acme/m-1", "Acme/m-2", "Acme/m-3"],
      ["Acme/m-4", "Acme/m-5", "Acme/m-6"],
      ["Acme/m-7", "Acme/m-1", "Acme/m-3"],
    ]);
    gone.delete("Acme/m-5");
    asked.length = 0;
    expect(await sync(database, listed(1), { ...short, day: 9 })).toMatchObject({ removed: 1, returned: 1 });
    expect(asked).toEqual([["Acme/m-2", "Acme/m-5"], ["Acme/m-4"]]);
    expect(await names(inventory)).toEqual(
      listed(8)
        .map(({ name }) => name)
        .filter((name) => name !== "Acme/m-2"),
    );
  });
});

describe("A sync that stopped", () => {
  it("continues at its saved cursor, and still has the models that it saw", async () => {
    const { database } = await openTestInventory([]);
    await sync(database, [named("a/one"), named("a/two"), named("a/three")]);
    const first = await beginSync(database, { source: "hub", seenAt: T0 + DAY });
    expect(first.resume).toBeUndefined();
    await first.write([named("a/one")]);
    await first.saveCursor("page 2");
    await first.write([named("a/two")]);
    await first.close();

    const second = await beginSync(database, { source: "hub", seenAt: T0 + 2 * DAY });
    expect(second.resume).toBe("page 2");
    await second.write([named("a/four")]);
    expect(await second.finish({ complete: true })).toMatchObject({ vanished: 1 });
    const third = await beginSync(database, { source: "hub" });
    expect(third.resume).toBeUndefined();
    await third.close();
  });

  it("starts again in another inventory", async () => {
    const [{ database: old }, { database }] = [await openTestInventory([]), await openTestInventory([])];
    const session = await beginSync(old, { source: "hub" });
    await session.write([named("a/one")]);
    await session.saveCursor("page 2");
    await session.close();
    // As when the folder of the tables was deleted, but not that of the state.
    Object.assign(database.location, { lockFolder: old.location.lockFolder });
    const anew = await beginSync(database, { source: "hub" });
    expect(anew.resume).toBeUndefined();
    await anew.close();
  });

  it("runs once at a time for each source, and does not block other sources", async () => {
    const { database, inventory } = await openTestInventory([]);
    const session = await beginSync(database, { source: "hub" });
    await expect(beginSync(database, { source: "hub" })).rejects.toMatchObject({ reason: "SYNC_RUNNING" });
    await sync(database, [named("a/one")], { source: "../other source" });
    await session.write([named("a/two")]);
    await session.finish({ complete: true });
    expect(await names(inventory)).toEqual(["a/one", "a/two"]);
    await (await beginSync(database, { source: "hub" })).close();
  });

  it("is discarded if its file is damaged", async () => {
    const { database, inventory } = await openTestInventory([]);
    const session = await beginSync(database, { source: "hub" });
    await session.saveCursor("page 2");
    await session.close();
    writeFileSync(join(database.location.lockFolder, "syncs", "hub.sqlite"), "no database at all");
    const anew = await beginSync(database, { source: "hub" });
    expect(anew.resume).toBeUndefined();
    await anew.write([named("a/one")]);
    await anew.finish({ complete: true });
    expect(await names(inventory)).toEqual(["a/one"]);
  });
});
