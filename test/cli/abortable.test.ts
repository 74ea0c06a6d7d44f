import { describe, expect, it } from "vitest";
import { abortable } from "../../src/cli/commands/import/abortable.ts";

async function* numbers(count: number) {
  for (let i = 0; i < count; i++) {
    yield i;
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

describe("abortable", () => {
  it("gives all items and the source's error", async () => {
    expect(await collect(abortable(numbers(3), new AbortController().signal))).toEqual([0, 1, 2]);
    async function* broken() {
      yield 1;
      throw new Error("broken");
    }
    await expect(collect(abortable(broken(), new AbortController().signal))).rejects.toThrow("broken");
  });

  it("stops waiting for a source that gives nothing more", async () => {
    const stop = new AbortController();
    async function* silent() {
      yield 1;
      await new Promise(() => {});
    }
    setTimeout(() => stop.abort(), 20);
    await expect(collect(abortable(silent(), stop.signal))).rejects.toMatchObject({ name: "AbortError" });
  });

  it("gives nothing when it is aborted already", async () => {
    await expect(collect(abortable(numbers(3), AbortSignal.abort()))).rejects.toMatchObject({ name: "AbortError" });
  });
});
