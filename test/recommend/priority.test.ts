import { describe, expect, it } from "vitest";
import type { Need } from "../../src/recommend/need.ts";
import { recommend } from "../../src/recommend/recommend.ts";
import { openTestInventory } from "../support/service/open-test-inventory.ts";

const { inventory } = await openTestInventory();

async function ask(description: string, more: Partial<Need> = {}) {
  const need: Need = { description, filter: {}, topK: 20, ignore: [], ...more };
  const { results, understood } = await recommend(inventory, need, { now: Date.UTC(2026, 6, 1) });
  return { understood, order: results.map(({ model, score }) => ({ name: model.name, score })) };
}

const accurate = "the most accurate transcription of English speech";

describe("What matters most", () => {
  it("is read from the words and listed with the other wishes", async () => {
    const { understood } = await ask(accurate);
    expect(understood.wishes).toContainEqual(
      expect.objectContaining({ kind: "priority", value: "quality", words: "most accurate" }),
    );
  });

  it("is dropped like other wishes, by its kind or by its kind and value", async () => {
    const { order } = await ask(accurate);
    const dropped = await ask(accurate, { ignore: ["priority"] });
    expect(dropped.order).not.toEqual(order);
    expect(dropped.understood).toEqual((await ask(accurate)).understood);
    expect((await ask(accurate, { ignore: ["priority:quality"] })).order).toEqual(dropped.order);
    expect((await ask(accurate, { ignore: ["priority:size"] })).order).toEqual(order);
  });

  it("is what the field says, whatever the words say", async () => {
    const { order } = await ask(accurate);
    const dropped = await ask(accurate, { ignore: ["priority"] });
    expect((await ask(accurate, { priority: "quality", ignore: ["priority"] })).order).toEqual(order);
    expect((await ask(accurate, { priority: "balanced" })).order).toEqual(dropped.order);
    const small = await ask(accurate, { priority: "size" });
    expect(small.order).not.toEqual(order);
    expect(small.order).not.toEqual(dropped.order);
    expect(small.understood).toEqual((await ask(accurate)).understood);
  });
});
