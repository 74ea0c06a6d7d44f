import { describe, expect, it } from "vitest";
import { allPages } from "../../src/cli/resources.ts";
import type { PageRequest } from "../../src/store/index.ts";

/** A list of numbers from 0, and the sizes of the requested pages. */
function listOf(count: number) {
  const sizes: number[] = [];
  const read = async ({ size, after }: PageRequest) => {
    sizes.push(size);
    const start = after === undefined ? 0 : after.at + 1;
    const items = Array.from({ length: Math.min(size, count - start) }, (_, i) => start + i);
    const last = start + items.length - 1;
    return { items, next: last + 1 < count ? { at: last, id: `${last}` } : undefined };
  };
  return { read, sizes };
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("allPages", () => {
  it("reads every page to the end", async () => {
    const { read, sizes } = listOf(1_203);
    expect(await allPages(read)).toEqual({ items: upTo(1_203), hasMore: false });
    expect(sizes).toEqual([500, 500, 500]);
  });

  it("reads an empty list once", async () => {
    const { read, sizes } = listOf(0);
    expect(await allPages(read)).toEqual({ items: [], hasMore: false });
    expect(sizes).toEqual([500]);
  });

  it("stops at the limit, and says whether there is more", async () => {
    const { read, sizes } = listOf(1_203);
    expect(await allPages(read, 700)).toEqual({ items: upTo(700), hasMore: true });
    expect(sizes).toEqual([500, 200]);
    expect(await allPages(listOf(700).read, 700)).toEqual({ items: upTo(700), hasMore: false });
  });
});
