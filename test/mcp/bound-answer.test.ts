import type { JsonObject } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundAnswer } from "../../src/mcp/bound-answer.ts";

const MOST = 36_000;
const sizeOf = (value: unknown) => JSON.stringify(value).length;
const names = (count: number) => Array.from({ length: count }, (_, i) => `model ${i}`);

describe("An answer", () => {
  it("stays as it is if it is small enough", () => {
    const answer = { models: names(100), total: 100 };
    expect(boundAnswer(answer)).toBe(answer);
  });

  it("keeps as many entries of its longest list as fit, and says how many", () => {
    const answer = { families: names(10_000), tasks: names(10) };
    const { families, tasks, shortened } = boundAnswer(answer) as unknown as Record<string, string[]>;
    expect(tasks).toEqual(answer.tasks);
    expect(families).toEqual(answer.families.slice(0, families?.length));
    expect(shortened).toEqual([`families has the first ${families?.length} of 10000 entries`]);
    const size = sizeOf({ families, tasks, shortened });
    expect(size).toBeLessThanOrEqual(MOST);
    expect(size).toBeGreaterThan(MOST - 100);
  });

  it("has no token of the next page if it lacks entries of its own, and says to ask for fewer", () => {
    const models = names(50).map((name) => ({ name, tags: [name.repeat(100)] }));
    const bounded = boundAnswer({ models, next_page_token: "behind all" }, ["tags"]);
    const left = (bounded.models as unknown[]).length;
    expect(left).toBeLessThan(50);
    expect(bounded.next_page_token).toBe("");
    expect(bounded.shortened).toContain(
      `next_page_token would skip the others and is left out; ask again with a page_size of at most ${left}`,
    );
    const inner = boundAnswer({ models: [{ tags: names(10_000) }], next_page_token: "next" });
    expect(inner).toMatchObject({ next_page_token: "next", shortened: { length: 1 } });
  });

  it("keeps lists whose entries belong together, and shortens those inside them", () => {
    const models = names(8).map((name) => ({ name, variants: names(1_000) }));
    const bounded = boundAnswer({ models, values: names(8) }, ["models", "values"]) as Record<string, unknown[]>;
    expect(bounded.models).toHaveLength(8);
    expect(bounded.values).toHaveLength(8);
    expect(sizeOf(bounded)).toBeLessThanOrEqual(MOST);
  });

  it("has its texts cut if no list is left, and after that also the lists that belong together", () => {
    const models = names(60).map((name) => ({ name, description: "ä".repeat(5_000) }));
    const bounded = boundAnswer({ models }, ["models"]) as { models: { description: string }[] };
    expect(bounded.models[0]?.description).toBe(`${"ä".repeat(500)}…`);
    expect(bounded.models).toHaveLength(60);
    const many = names(200).map((name) => ({ name, description: "ä".repeat(5_000) }));
    expect(sizeOf(boundAnswer({ models: many }, ["models"]))).toBeLessThanOrEqual(MOST);
  });

  it("is small enough whatever its lists hold, and loses nothing but ends of lists", () => {
    const entry = fc.record({ name: fc.string(), tags: fc.array(fc.string({ maxLength: 50 }), { maxLength: 40 }) });
    const lists = fc.array(entry, { minLength: 0, maxLength: 200, size: "max" });
    const isStartOf = (part: unknown, all: unknown): boolean =>
      Array.isArray(part) && Array.isArray(all)
        ? part.length <= all.length && part.every((each, i) => isStartOf(each, all[i]))
        : typeof part === "object" && part !== null
          ? Object.entries(part).every(([name, inner]) => isStartOf(inner, (all as Record<string, unknown>)[name]))
          : part === all;
    fc.assert(
      fc.property(fc.record({ a: lists, b: lists }), (answer) => {
        const { shortened: _, ...bounded } = boundAnswer(answer as unknown as JsonObject, ["a"]);
        return sizeOf(bounded) <= MOST && isStartOf(bounded, answer);
      }),
      { numRuns: 50 },
    );
  });
});
