import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { eachUntilAborted, pause, untilAborted } from "../../src/pace/waiting.ts";

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

const aborts = { name: "AbortError" };

describe("work until a signal aborts", () => {
  it("gives its result or its error, and leaves no listener behind", async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(signal, Promise.resolve(1))).toBe(1);
    expect(await untilAborted(undefined, Promise.resolve(2))).toBe(2);
    await expect(untilAborted(signal, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("fails with the signal's reason, and what the work comes to later is ignored", async () => {
    const stop = new AbortController();
    const work = Promise.withResolvers<number>();
    const result = untilAborted(stop.signal, work.promise);
    stop.abort(new Error("stopped"));
    // An unhandled rejection would fail this test.
    work.reject(new Error("broken"));
    await expect(result).rejects.toThrow("stopped");
    await expect(untilAborted(stop.signal, Promise.resolve(1))).rejects.toThrow("stopped");
  });
});

describe("the items of a source until a signal aborts", () => {
  it("are returned one by one, then the source's error is thrown", async () => {
    expect(await collect(eachUntilAborted(new AbortController().signal, numbers(3)))).toEqual([0, 1, 2]);
    async function* broken() {
      yield 1;
      throw new Error("broken");
    }
    await expect(collect(eachUntilAborted(new AbortController().signal, broken()))).rejects.toThrow("broken");
  });

  it("end while the source is silent", async () => {
    const stop = new AbortController();
    async function* silent() {
      yield 1;
      await new Promise(() => {});
    }
    setTimeout(() => stop.abort(), 20);
    await expect(collect(eachUntilAborted(stop.signal, silent()))).rejects.toMatchObject(aborts);
  });

  it("are none when the signal has aborted before", async () => {
    let isAsked = false;
    async function* source() {
      isAsked = true;
      yield 1;
    }
    await expect(collect(eachUntilAborted(AbortSignal.abort(), source()))).rejects.toMatchObject(aborts);
    expect(isAsked).toBe(false);
  });

  it("end with the signal's reason when it aborts as the source ends", async () => {
    const stop = new AbortController();
    async function* source() {
      yield 1;
      stop.abort();
    }
    await expect(collect(eachUntilAborted(stop.signal, source()))).rejects.toMatchObject(aborts);
  });

  it("close the source when the reader leaves", async () => {
    let isClosed = false;
    async function* source() {
      try {
        yield* numbers(10);
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of eachUntilAborted(new AbortController().signal, source())) {
      break;
    }
    // The reader does not wait for the source to close.
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(true);
  });
});

it("a pause ends when its signal aborts, without an error", async () => {
  const stop = new AbortController();
  const paused = pause(3_600_000, stop.signal);
  stop.abort();
  await expect(paused).resolves.toBeUndefined();
  await expect(pause(3_600_000, stop.signal)).resolves.toBeUndefined();
  await expect(pause(0, new AbortController().signal)).resolves.toBeUndefined();
});
