import { describe, expect, it } from "vitest";
import { needs } from "../../../bench/support/needs.ts";
import { ExactSearch } from "../../../src/inventory/read/exact-search.ts";
import { ExactSearchLoader } from "../../../src/inventory/read/exact-search-loader.ts";
import { searchKeys, searchText, searchVector } from "../../../src/inventory/read/model-search.ts";
import { TableView } from "../../../src/inventory/read/table-view.ts";
import {
  type Condition,
  conditionsOf,
  filterColumnNames,
  hasAnyLabel,
  type ModelFilter,
} from "../../../src/inventory/table/filter.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { openTestInventory } from "../../support/service/open-test-inventory.ts";

const LIMIT = 60;

const filters: ModelFilter[] = [
  { taskType: "vision" },
  { hardware: "gpu-8gb" },
  { hardware: "cpu", maxSizeGb: 2 },
  { maxSizeGb: 0.5 },
  { license: "open" },
  { license: "permissive", languages: ["de", "fr"] },
  { license: "mit" },
  { license: "no-such-licence" },
  { minContextLength: 32_768, license: "commercial" },
];

const conditions: ReadonlyArray<readonly Condition[]> = [
  [],
  ...filters.map(conditionsOf),
  [hasAnyLabel(["text-to-speech", "automatic-speech-recognition"])],
  [...conditionsOf({ license: "open" }), hasAnyLabel(["text-generation"]), ...conditionsOf({ taskType: "code" })],
];

/** Texts that stemming, accents, stop words, numbers and scripts make hard. */
const oddTexts = [
  "the of and to",
  "Übersetzung naïve café Straße façade œuvre",
  "日本語 の 音声 認識",
  "running runner runs generously generalization relational",
  "qwen2.5 7b q4_k_m GGUF 128k",
  "a".repeat(39),
  "a".repeat(41),
  "don't can't it's models' whisper-large-v3",
  "model model model transcription transcription",
  "!!! ???",
];

describe("The search in memory", async () => {
  const { inventory } = await openTestInventory();
  const { table, encoder } = inventory;
  const exact = (await ExactSearch.load(table, encoder.dimensions)) as ExactSearch;
  const texts = [...needs.map(({ description }) => description), ...oddTexts];

  it("finds the texts that LanceDB finds", async () => {
    let [found, wanted] = [0, 0];
    for (const text of texts) {
      for (const all of conditions.slice(0, 4)) {
        const rows = new Set(exact.searchText(text, { limit: LIMIT, conditions: all }));
        const ofTable = await searchText(table, text, { limit: LIMIT, conditions: all });
        expect({ text, all, count: rows.size }).toEqual({ text, all, count: ofTable.length });
        found += ofTable.filter((row) => rows.has(row)).length;
        wanted += ofTable.length;
      }
    }
    expect(wanted).toBeGreaterThan(5_000);
    expect(found / wanted).toBeGreaterThan(0.99);
  });

  it("finds the nearest vectors that LanceDB finds, with every condition", async () => {
    let [found, wanted] = [0, 0];
    for (const vector of await encoder.encode(texts.slice(0, 12))) {
      for (const all of conditions) {
        const rows = exact.searchVector(vector, { limit: LIMIT, conditions: all });
        const ofTable = await searchVector(table, vector, { limit: LIMIT, conditions: all });
        expect({ all, count: rows.length }).toEqual({ all, count: ofTable.length });
        expect(rows.slice(0, 3)).toEqual(ofTable.slice(0, 3));
        found += ofTable.filter((row) => rows.includes(row)).length;
        wanted += ofTable.length;
      }
    }
    expect(wanted).toBeGreaterThan(5_000);
    expect(found / wanted).toBeGreaterThan(0.999);
  });

  it("finds the models of keys, with every condition", async () => {
    const keys = (await table.query().select(["key"]).limit(500).toArray()).map(({ key }) => key as string);
    for (const all of conditions) {
      for (const limit of [500, 7]) {
        const options = { limit, conditions: all };
        const rows = exact.searchKeys(["acme/nothing", ...keys.toReversed()], options);
        expect(rows).toEqual(await searchKeys(table, ["acme/nothing", ...keys.toReversed()], options));
        expect(rows.length).toBeLessThanOrEqual(limit);
      }
    }
  });

  it("knows every column that filters name", () => {
    const everything: ModelFilter = {
      taskType: "code",
      hardware: "cpu",
      maxSizeGb: 1,
      license: "open",
      languages: ["en"],
      minContextLength: 1,
    };
    const named = [everything, { ...everything, hardware: undefined, license: "mit" }].flatMap(conditionsOf);
    expect(filterColumnNames).toEqual(expect.arrayContaining(named.map(({ column }) => column)));
    const unknown: Condition = { column: "downloads", is: "atLeast", value: 1 };
    expect(() => exact.searchKeys(["acme/nothing"], { limit: 1, conditions: [unknown] })).toThrow("downloads");
  });
});

it("A search in memory of an empty table finds nothing, with every condition", async () => {
  const { inventory } = await openTestInventory([]);
  const { dimensions } = inventory.encoder;
  const exact = (await ExactSearch.load(inventory.table, dimensions)) as ExactSearch;
  const vector = new Float32Array(dimensions).fill(0.1);
  for (const all of conditions) {
    expect(exact.searchText("okapis", { limit: 5, conditions: all })).toEqual([]);
    expect(exact.searchVector(vector, { limit: 5, conditions: all })).toEqual([]);
    expect(exact.searchKeys(["acme/okapi"], { limit: 5, conditions: all })).toEqual([]);
  }
});

describe("The loader of the search in memory", async () => {
  const { database, inventory } = await openTestInventory([
    { name: "acme/okapi", description: "Counts okapis in pictures." },
    { name: "acme/zebra", description: "Counts zebras in pictures." },
  ]);
  const open = () => database.connection.openTable(inventory.generation.table);
  const { dimensions } = inventory.encoder;

  async function loaderOf(mostBytes: number) {
    const view = await TableView.open({ table: inventory.table, open, lookEveryMs: 60_000 });
    const loader = new ExactSearchLoader(view, dimensions, mostBytes);
    const close = async () => {
      await loader.close();
      await view.close();
    };
    return { view, loader, close };
  }

  it("loads a small table after some searches, and a newer version of it in turn", async () => {
    const { view, loader, close } = await loaderOf(1_000_000);
    expect(await loader.search()).toBeUndefined();
    await expect.poll(() => loader.search(), { interval: 1 }).toBeDefined();
    const before = await loader.search();
    expect(before?.searchText("okapis", { limit: 5 })).toHaveLength(1);
    await ingest(database, [{ name: "acme/okapi-2", description: "Counts okapis at night." }], { source: "test" });
    await view.follow();
    // LanceDB searches the new version until it is loaded.
    expect(await loader.search()).toBeUndefined();
    await expect.poll(() => loader.search(), { interval: 20, timeout: 30_000 }).toBeDefined();
    expect((await loader.search())?.searchText("okapis", { limit: 5 })).toHaveLength(2);
    await close();
  });

  it("loads no table that needs more memory than it may take", async () => {
    const { loader, close } = await loaderOf(1_000);
    for (let i = 0; i < 100; i++) {
      expect(await loader.search()).toBeUndefined();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await close();
    expect(await loader.search()).toBeUndefined();
  });
});
