import { describe, expect, it } from "vitest";
import { loadCatalogue } from "../../src/catalogue/index.ts";
import type { SourceRecord } from "../../src/inventory/facts/record.ts";
import type { Inventory } from "../../src/inventory/inventory.ts";
import { ingest } from "../../src/inventory/write/ingest.ts";
import { recommend } from "../../src/recommend/recommend.ts";
import { cardOf } from "../../src/recommend/score/card-of.ts";
import { STARTER_GATHERED_AT, starterRecords } from "../../src/sources/starter.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";

const DAY_MS = 86_400_000;

/** The starter's records of some models. */
async function recordsOf(...names: string[]): Promise<SourceRecord[]> {
  const records: SourceRecord[] = [];
  for await (const record of starterRecords()) {
    if (names.includes(record.name)) {
      records.push(record);
    }
  }
  expect(records).toHaveLength(names.length);
  return records;
}

/** An inventory as the first start fills it, and a sync of the Hub that lists the records a day later. */
async function inventoryOf(...names: string[]) {
  const opened = await openTestInventory([]);
  const start = { source: "huggingface", catalogue: true, seenAt: STARTER_GATHERED_AT } as const;
  await ingest(opened.database, await recordsOf(...names), start);
  const sync = (...records: SourceRecord[]) =>
    ingest(opened.database, records, { source: "huggingface", seenAt: STARTER_GATHERED_AT + DAY_MS });
  return { inventory: opened.inventory, sync };
}

async function answerFor(inventory: Inventory, description: string, name: string) {
  const need = { description, filter: {}, topK: 5, ignore: [] };
  const { results } = await recommend(inventory, need, { now: STARTER_GATHERED_AT + 2 * DAY_MS });
  return results.find(({ model }) => model.name === name);
}

/** The reasons that are the catalogue's; others say what the sources list, such as the licence. */
function ofCatalogue(reasons: readonly string[] = []): string[] {
  return reasons.filter((reason) => /catalogue/.test(reason));
}

/** What the catalogue says of a model of the inventory. */
async function judgementOf(inventory: Inventory, name: string) {
  const model = await inventory.get(name);
  expect(model).toBeDefined();
  if (model === undefined) {
    return undefined;
  }
  const { purposes, readiness, standing, strengths, weaknesses, inherited_from } = cardOf(model) ?? {};
  return { purposes, readiness, standing, strengths, weaknesses, inherited_from, capabilities: model.capabilities };
}

describe("After a sync, a model with an entry", () => {
  it.each([
    ["openai/whisper-small", "transcribe meetings in several languages"],
    ["Qwen/Qwen3-4B-Instruct-2507", "general chat assistant that answers everyday questions"],
    ["BAAI/bge-m3", "semantic search over support tickets in several languages"],
  ])(
    "keeps its purposes, its abilities and the reasons for it, whatever the Hub says of it: %s",
    async (name, need) => {
      const { inventory, sync } = await inventoryOf(
        "openai/whisper-small",
        "Qwen/Qwen3-4B-Instruct-2507",
        "BAAI/bge-m3",
        "google/vit-base-patch16-224",
      );
      const before = await judgementOf(inventory, name);
      const answer = await answerFor(inventory, need, name);
      expect(before?.purposes).toEqual(loadCatalogue().cardOf(name.toLowerCase())?.purposes);
      expect(answer?.reasons.join(" ")).toMatch(
        /The catalogue lists it|catalogue's first choices|uses that the catalogue/,
      );

      const stored = await inventory.get(name);
      expect(
        await sync({
          name,
          source: "huggingface",
          task_types: stored?.labels,
          description: "Sorts photos of ships by the flag that they fly.",
          tags: ["ships", "base_model:google/vit-base-patch16-224", "license:cc-by-nc-4.0"],
          base_model: "google/vit-base-patch16-224",
          license: "cc-by-nc-4.0",
        }),
      ).toMatchObject({ changed: 1 });

      expect(await inventory.get(name)).toMatchObject({ license: "cc-by-nc-4.0" });
      expect(await judgementOf(inventory, name)).toEqual(before);
      expect(ofCatalogue((await answerFor(inventory, need, name))?.reasons)).toEqual(ofCatalogue(answer?.reasons));
    },
  );
});

describe("After a sync, a new model of a known line", () => {
  it("has purposes, readiness and capabilities of the nearest model, and its answer says from which", async () => {
    const { inventory, sync } = await inventoryOf("google/vit-base-patch16-224");
    await sync({
      name: "Qwen/Qwen4-8B",
      source: "huggingface",
      task_types: ["text-generation"],
      license: "apache-2.0",
    });
    const model = await inventory.get("Qwen/Qwen4-8B");
    const { inherited_from: kin = "", ...card } = (model && cardOf(model)) ?? {};
    const original = loadCatalogue().cardOf(kin.toLowerCase());
    expect(card).toMatchObject({ inherited_as: "line", purposes: original?.purposes, readiness: original?.readiness });
    expect(card).not.toHaveProperty("strengths");
    const answer = await answerFor(
      inventory,
      "general chat assistant that answers everyday questions",
      "Qwen/Qwen4-8B",
    );
    expect(answer?.reasons.join(" ")).toContain(
      `The catalogue does not have it, but lists ${kin}, a model of the same line, as good at this: `,
    );
  });
});
