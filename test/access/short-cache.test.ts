import { describe, expect, it } from "vitest";
import { ShortCache } from "../../src/access/key-check.ts";
import { testClock } from "./support/test-clock.ts";

function cacheWithCount() {
  const clock = testClock("2030-01-01T00:00:00Z");
  const cache = new ShortCache<number>({ ttlMs: 500, now: clock.now });
  let loads = 0;
  return { clock, cache, get: (key = "a") => cache.get(key, async () => ++loads) };
}

describe("a short cache", () => {
  it("keeps a value for its time, counted from the start of the load", async () => {
    const { clock, cache, get } = cacheWithCount();
    const slow = Promise.withResolvers<number>();
    const first = cache.get("slow", () => slow.promise);
    clock.pass(400);
    slow.resolve(0);
    expect(await first).toBe(0);
    clock.pass(99);
    expect(await cache.get("slow", async () => 1)).toBe(0);
    clock.pass(1);
    expect(await cache.get("slow", async () => 1)).toBe(1);
    expect([await get(), await get(), await get("b")]).toEqual([1, 1, 2]);
  });

  it("loads once for all concurrent calls", async () => {
    const { get } = cacheWithCount();
    expect(new Set(await Promise.all(Array.from({ length: 100 }, () => get())))).toEqual(new Set([1]));
  });

  it("does not keep failures", async () => {
    const { cache } = cacheWithCount();
    const failing = () => cache.get("a", () => Promise.reject(new Error("on purpose")));
    await expect(Promise.all([failing(), failing()])).rejects.toThrow("on purpose");
    expect(await cache.get("a", async () => 7)).toBe(7);
  });

  it("lasts no longer when the clock is put back", async () => {
    const { clock, get } = cacheWithCount();
    await get();
    clock.pass(-3_600_000);
    expect(await get()).toBe(2);
  });

  it("forgets all when it is cleared", async () => {
    const { cache, get } = cacheWithCount();
    await get();
    cache.clear();
    expect(await get()).toBe(2);
  });
});
