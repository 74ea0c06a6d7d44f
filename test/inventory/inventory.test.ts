import { describe, expect, it } from "vitest";
import type { SourceRecord } from "../../src/inventory/facts/record.ts";
import type { PagePosition } from "../../src/inventory/read/model-page.ts";
import { ingest } from "../../src/inventory/write/ingest.ts";
import { sendHttp1 } from "../support/clients/http.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";
import { startApp } from "../support/service/start-app.ts";

const named = (name: string, more: object = {}): SourceRecord => ({ name, task_types: ["text-generation"], ...more });

describe("A model", async () => {
  const { database, inventory } = await openTestInventory([
    named("Qwen/Qwen3-8B", { downloads: 100 }),
    named("mirror/Qwen3-8B", { downloads: 5 }),
    named("acme/other-9b", { downloads: 1_000 }),
  ]);

  it("is found by its name in any letter case, and by its name without the owner", async () => {
    expect((await inventory.get("QWEN/qwen3-8b"))?.name).toBe("Qwen/Qwen3-8B");
    expect(await inventory.get("Qwen3-8B")).toBeUndefined();
    expect((await inventory.find("qwen3-8b"))?.name).toBe("Qwen/Qwen3-8B");
    expect((await inventory.find("mirror/qwen3-8B"))?.name).toBe("mirror/Qwen3-8B");
    for (const none of ["", " ", "/", "nothing", "acme/qwen3-8b-other", '"', "'"]) {
      expect(await inventory.find(none)).toBeUndefined();
    }
  });

  it("that does not exist has similar names", async () => {
    expect((await inventory.nearestModels("Qwen/Qwen3-8C"))[0]).toBe("Qwen/Qwen3-8B");
    expect(await inventory.nearestModels("")).toEqual([]);
    for (const itself of ["Qwen/Qwen3-8B", " qwen/QWEN3-8b "]) {
      expect(await inventory.nearestModels(itself)).toEqual(["mirror/Qwen3-8B"]);
    }
    expect(await inventory.nearestFamilies("quen")).toEqual(["qwen"]);
    expect(await inventory.nearestTasks("text-generatoin")).toContain("text-generation");
  });

  it("is loaded in the order of the requested keys, without keys that do not exist", async () => {
    const keys = ["acme/other-9b", "no/such", "qwen/qwen3-8b", "acme/other-9b"];
    expect((await inventory.load(keys)).map(({ model }) => model.key)).toEqual([
      "acme/other-9b",
      "qwen/qwen3-8b",
      "acme/other-9b",
    ]);
    expect(await inventory.load([])).toEqual([]);
  });

  it("is read again after a change", async () => {
    const before = await inventory.get("acme/other-9b");
    expect(before?.license).toBeUndefined();
    await ingest(database, [named("acme/other-9b", { license: "mit" }), named("acme/new")], { source: "s" });
    expect((await inventory.get("acme/other-9b"))?.license).toBe("mit");
    expect(await inventory.count({ license: "open" })).toBe(1);
    expect((await inventory.facetCounts()).models).toBe(4);
  });
});

describe("An empty inventory", async () => {
  const { inventory } = await openTestInventory([]);
  it("returns nothing to all queries", async () => {
    expect(await inventory.size()).toBe(0);
    expect(await inventory.get("a/b")).toBeUndefined();
    expect(await inventory.find("b")).toBeUndefined();
    expect(await inventory.nearestModels("a/b")).toEqual([]);
    expect(await inventory.familyPage("qwen", 10)).toBeUndefined();
    expect(await inventory.taskPage("vision", 10)).toEqual({ total: 0, models: [] });
    expect(await inventory.facetCounts()).toMatchObject({ models: 0 });
    expect(await inventory.count({ license: "mit", maxSizeGb: 1 })).toBe(0);
  });
});

describe("Pages", async () => {
  const records = Array.from({ length: 23 }, (_, i) =>
    named(`acme/zebra-${String(i).padStart(2, "0")}`, i % 3 === 0 ? {} : { downloads: i % 3 }),
  );
  const { database, inventory } = await openTestInventory(records);

  it.each([1, 2, 5, 22, 23, 24])(
    "of %i lead to the end where many models have equal or no downloads",
    async (limit) => {
      const seen: string[] = [];
      let after: PagePosition | undefined;
      do {
        const page = await inventory.taskPage("text-generation", limit, after);
        seen.push(...(page?.models.map(({ key }) => key) ?? []));
        after = page?.next;
      } while (after !== undefined);
      expect(seen).toHaveLength(23);
      const downloads = new Map(records.map(({ name, downloads: n }) => [name, n ?? 0]));
      expect(seen).toEqual(
        [...downloads.keys()].sort((a, b) => (downloads.get(b) ?? 0) - (downloads.get(a) ?? 0) || (a < b ? -1 : 1)),
      );
    },
  );

  it("continue where the last one ended, even if its last model was removed or others were added", async () => {
    const first = await inventory.taskPage("text-generation", 5);
    await ingest(database, [named("acme/aardvark", { downloads: 9 }), named("acme/zebra-99", { downloads: 1 })], {
      source: "s",
    });
    await inventory.table.delete(`key = '${first?.next?.key}'`);
    const seen = first?.models.map(({ key }) => key) ?? [];
    for (let after = first?.next; after !== undefined; ) {
      const page = await inventory.taskPage("text-generation", 5, after);
      seen.push(...(page?.models.map(({ key }) => key) ?? []));
      after = page?.next;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toContain("acme/zebra-99");
    expect(seen).not.toContain("acme/aardvark");
    expect(seen).toHaveLength(24);
  });
});

describe("A repackaging", async () => {
  const { url } = await startApp({
    records: [
      named("acme/bard-8b", { size_gb: 16, variants: [{ quantization: "bf16", format: "safetensors", size_gb: 16 }] }),
      named("packer/Bard-8B-GGUF", {
        base_model: "Acme/Bard-8B",
        variants: [{ quantization: "Q4_K_M", format: "gguf", size_gb: 5 }],
      }),
      named("tuner/bard-sonnets", { base_model: "acme/bard-8b", variants: [{ quantization: "bf16", size_gb: 15 }] }),
    ],
  });
  const read = async (path: string) => JSON.parse((await sendHttp1(url, { path })).text);

  it("stays a separate model of its base's family, and its variants are listed with its base's", async () => {
    expect(await read("/models/detail/packer/bard-8b-gguf")).toMatchObject({
      family: "bard",
      base_model: "Acme/Bard-8B",
    });
    expect(await read("/models/family/bard")).toMatchObject({ total: 3 });
    const { variants, size_gb } = await read("/models/detail/acme/bard-8b");
    expect(size_gb).toBe(16);
    expect(variants).toEqual([
      { quantization: "bf16", format: "safetensors", size_gb: 16, unpublished: false },
      { quantization: "Q4_K_M", format: "gguf", size_gb: 5, repository: "packer/Bard-8B-GGUF", unpublished: false },
    ]);
  });
});

describe("Names of every kind", async () => {
  const names = [
    "o'brien/it's",
    "'); DROP TABLE models; --/x",
    'say/"hi"',
    "back\\slash/\\n",
    "per%cent/100%25",
    "a b/c d",
    "ques?tion/a#b",
    "a:b/c:d",
    "🦜/👩‍👩‍👧",
    "é/e\u0301",
    "مرحبا/سلام",
    "\u202eevil/\u202e",
    "__proto__/constructor",
    "null/undefined",
    "[a]/{b}",
    "*/**",
    "../..",
    "./.",
    "+/&",
    "İ/ı",
    "ẞ/ß",
  ];
  const { url } = await startApp({
    records: names.map((name) =>
      named(name, { description: `About ${name}.`, tags: [name], license: name, facts_from: { [name]: name } }),
    ),
  });

  it.each(names)("are stored, listed and found: %s", async (name) => {
    const { status, text } = await sendHttp1(url, { path: `/models/detail/${encodeURIComponent(name)}` });
    expect({ status, name: JSON.parse(text).name }).toEqual({ status: 200, name });
    const entry = JSON.parse(text);
    expect(entry).toMatchObject({ description: `About ${name}.`, tags: [name] });
    expect(entry.facts_from).toEqual({ [name]: name });
    const family = await sendHttp1(url, { path: `/models/family/${encodeURIComponent(entry.family)}?page_size=500` });
    expect(family.status).toBe(200);
    expect(JSON.parse(family.text).models.map((model: { name: string }) => model.name)).toContain(name);
  });

  it("do not disturb recommendations", async () => {
    const { status, text } = await sendHttp1(url, { path: "/models/recommend?q=write+poems&top_k=50" });
    expect(status).toBe(200);
    expect(JSON.parse(text).models_searched).toBe(names.length);
  });
});
