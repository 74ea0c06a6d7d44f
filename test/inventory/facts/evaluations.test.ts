import { describe, expect, it } from "vitest";
import type { Evaluation } from "../../../src/evaluations/index.ts";
import { parseRecord } from "../../../src/inventory/facts/record.ts";
import { EVALUATIONS_SOURCE } from "../../../src/inventory/facts/source-facts.ts";
import { verify } from "../../../src/inventory/maintenance/verify.ts";
import { openServing } from "../../../src/inventory/rebuild/open-serving.ts";
import { INVENTORY_SCHEMA } from "../../../src/inventory/table/schema.ts";
import { ingest } from "../../../src/inventory/write/ingest.ts";
import { beginSync } from "../../../src/inventory/write/sync-session.ts";
import { openTestInventory } from "../../support/service/open-test-inventory.ts";
import { testDatabase, testHome } from "../support/test-database.ts";
import { wordEncoder } from "../support/word-encoder.ts";

const tools: Evaluation = { board: "bfcl-v4", value: 40, place: 20, of: 80, as_of: "2026-04-12", evidence: "measured" };
const claim: Evaluation = { board: "swe-bench-verified", value: 70, evidence: "claimed" };

/** One sync of the boards, from its beginning to its end. */
async function syncBoards(
  database: Parameters<typeof beginSync>[0],
  evaluations: Readonly<Record<string, Evaluation[]>>,
  seenAt: number,
) {
  const session = await beginSync(database, { source: EVALUATIONS_SOURCE, seenAt, graceMs: 0 });
  const records = Object.entries(evaluations).map(([name, list]) => ({ name, evaluations: list }));
  return { ...(await session.write(records)), ...(await session.finish({ complete: true })) };
}

describe("Figures in the inventory", () => {
  it("are merged from all sources, and their source does not count as one of the model's", async () => {
    const { database, inventory } = await openTestInventory([]);
    await ingest(database, [{ name: "acme/one", license: "mit", evaluations: [claim] }], { source: "shelf" });
    await ingest(database, [{ name: "Acme/One", evaluations: [{ ...claim, value: 71 }] }], { source: "huggingface" });
    await syncBoards(database, { "acme/ONE": [tools] }, Date.now());
    expect(await inventory.get("acme/one")).toMatchObject({
      name: "Acme/One",
      license: "mit",
      evaluations: [tools, { ...claim, value: 71 }],
      sources: [{ name: "huggingface" }, { name: "shelf" }],
    });
    expect((await verify(database)).problems).toEqual([]);
  });

  it("add no model, and leave with the board or with their model", async () => {
    const { database, inventory } = await openTestInventory([]);
    await ingest(database, [{ name: "acme/one" }], { source: "shelf" });
    expect(await syncBoards(database, { "acme/one": [tools], "acme/unknown": [tools] }, 1_000)).toMatchObject({
      added: 0,
      changed: 1,
    });
    expect(await inventory.size()).toBe(1);
    await syncBoards(database, {}, 2_000);
    await syncBoards(database, {}, 3_000);
    expect(await inventory.get("acme/one")).toMatchObject({ name: "acme/one" });
    expect(await inventory.get("acme/one")).not.toHaveProperty("evaluations");

    await syncBoards(database, { "acme/one": [tools] }, 4_000);
    for (const seenAt of [5_000, 6_000]) {
      const shelf = await beginSync(database, { source: "shelf", seenAt, graceMs: 0 });
      await shelf.write([]);
      await shelf.finish({ complete: true });
    }
    expect(await inventory.size(), "figures alone are no model").toBe(0);
  });

  it("are a change of the model, which followers see", async () => {
    const { database } = await openTestInventory([]);
    await ingest(database, [{ name: "acme/one" }], { source: "shelf" });
    const factsChange = async () => {
      const { table } = await database.serving();
      return (await table.query().select(["facts_change"]).toArray())[0]?.facts_change;
    };
    const before = await factsChange();
    await syncBoards(database, { "acme/one": [tools] }, 1_000);
    const measured = await factsChange();
    expect(measured).toBeGreaterThan(before);
    await syncBoards(database, { "acme/one": [tools] }, 2_000);
    expect(await factsChange(), "the same figures again").toBe(measured);
  });

  it("are refused with the whole record where they are wrong", () => {
    const problem = (evaluations: object[], more = {}) => parseRecord({ name: "acme/one", evaluations, ...more });
    expect(problem([{ ...tools, value: 400 }])).toEqual({
      problem: "evaluations.0.value: 400 is outside 0 to 100, the range of bfcl-v4 (overall accuracy in %)",
    });
    expect(problem([tools, tools])).toEqual({ problem: "evaluations.1.board: bfcl-v4 is listed twice" });
    expect(problem([tools], { source: EVALUATIONS_SOURCE })).toEqual({
      problem: "source: is reserved for the figures of leaderboards",
    });
  });

  it("that are bundled come to each model that they name, and to its repackagings as those of the base", async () => {
    const { database, inventory } = await openTestInventory([]);
    const name = "openai/whisper-large-v3";
    const packed = { name: "packer/whisper-large-v3-GGUF", tags: [`base_model:quantized:${name}`] };
    const tuned = { name: "acme/whisper-doctors", tags: [`base_model:finetune:${name}`] };
    await ingest(database, [{ name: "OpenAI/Whisper-large-v3" }, packed, tuned], { source: "shelf" });
    const errors = { board: "open-asr-en-shortform", value: 7.44, place: 38, of: 87 };
    const figuresOf = async (key: string) => (await inventory.get(key))?.evaluations;
    expect(await figuresOf(name)).toContainEqual({ ...errors, as_of: "2026-03-26", evidence: "measured" });
    expect(await figuresOf(packed.name)).toContainEqual({ ...errors, as_of: "2026-03-26", evidence: "base" });
    expect((await figuresOf(name))?.some(({ board }) => board.endsWith("-speed"))).toBe(true);
    expect((await figuresOf(packed.name))?.some(({ board }) => board.endsWith("-speed"))).toBe(false);
    expect(await figuresOf(tuned.name), "fine-tuning changes what a model does").toBeUndefined();
    expect((await verify(database)).problems).toEqual([]);
  });

  it("are kept when an inventory of the version before is opened", async () => {
    const home = testHome();
    const bundled = wordEncoder("static-1-words", 16);
    const database = await testDatabase(home, { bundled });
    await openServing(database, { encoder: "bundled" });
    await ingest(database, [{ name: "acme/one", evaluations: [claim] }], { source: "shelf" });
    const [serving] = await database.generations.list();
    await database.generations.save([{ ...(serving as NonNullable<typeof serving>), schema: 2 }]);
    await database.close();

    const later = await testDatabase(home, { bundled });
    const inventory = await openServing(later, { encoder: "bundled" });
    expect(inventory.generation.schema).toBe(INVENTORY_SCHEMA);
    expect(await inventory.get("acme/one")).toMatchObject({ evaluations: [claim] });
  });
});
