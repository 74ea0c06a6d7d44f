import { describe, expect, it, vi } from "vitest";
import { Names } from "../../../src/inventory/read/name-search.ts";
import type { ReadableTable } from "../../../src/inventory/read/table-view.ts";

const COUNT = 2_500;
/** Names that differ in one word; every tenth model has as many downloads. */
const rows = Array.from({ length: COUNT }, (_, i) => ({
  key: `acme/tiny-${i}`,
  family: "",
  labels: [],
  downloads: (i * 7) % 250,
}));
const table = {
  query: () => ({
    select: async function* () {
      yield rows;
    },
  }),
} as unknown as ReadableTable;
const ordered = [...rows].sort((a, b) => b.downloads - a.downloads || (a.key < b.key ? -1 : 1)).map(({ key }) => key);

/** The turns of the event loop during some work, on a clock by which each part of it takes longer than a slice. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ turns: number; result: T }> {
  let [turns, now, isDone] = [0, 0, false];
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 6;
    return now;
  });
  const count = () => {
    turns += 1;
    if (!isDone) {
      setImmediate(count);
    }
  };
  setImmediate(count);
  try {
    return { result: await work(), turns };
  } finally {
    isDone = true;
    clock.mockRestore();
  }
}

describe("The names of an inventory", () => {
  it("are found best first and then by downloads", async () => {
    const names = await Names.read(table, 1);
    expect(await names.find(["tiny"])).toEqual(ordered);
    const [first, ...others] = await names.find(["tiny-12"]);
    expect(first).toBe("acme/tiny-12");
    const beginning = ordered.filter((key) => key.startsWith("acme/tiny-12") && key !== first);
    expect(others.slice(0, beginning.length)).toEqual(beginning);
    const parts = ordered.filter((key) => key.includes("12") && !key.startsWith("acme/tiny-12"));
    expect(others.slice(beginning.length)).toEqual(parts);
    expect(await names.find(["tiny"], new Set(["acme/tiny-3", "acme/nothing"]))).toEqual(["acme/tiny-3"]);
  });

  it("are found by misspelt words, the least letters wrong first", async () => {
    const names = await Names.read(table, 1);
    expect(await names.findMisspelt(["tinny"])).toEqual(ordered);
    expect(await names.findMisspelt(["tinny", "acme"], new Set(["acme/tiny-3"]))).toEqual(["acme/tiny-3"]);
    expect((await names.findMisspelt(["acme", "1234"]))[0]).toBe("acme/tiny-1234");
  });

  it("let a server answer while they are read, searched, and searched with a misspelt word", async () => {
    const reading = await turnsDuring(() => Names.read(table, 1));
    // Reading the rows yields once a row, and so does merging the sorted runs.
    expect(reading.turns).toBeGreaterThan(2 * COUNT);
    const names = reading.result;
    expect((await turnsDuring(() => names.find(["tiny"]))).turns).toBeGreaterThanOrEqual(COUNT);
    const first = await turnsDuring(() => names.findMisspelt(["tinny"]));
    const second = await turnsDuring(() => names.findMisspelt(["tinny"]));
    // The first one builds the index of words, a turn for each model.
    expect(first.turns - second.turns).toBeGreaterThanOrEqual(COUNT - 1);
  });
});
