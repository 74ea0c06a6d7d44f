import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCollector, IdleCollection } from "../../src/app/idle-collection.ts";

const MIB = 1024 * 1024;
const LOOK_MS = 5_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A process that needs 40 MiB at first; whatever it holds beyond what it needs is garbage. */
function startCollection() {
  const state = { held: 40 * MIB, needed: 40 * MIB, open: 5, busy: 0, collections: 0, now: 0, takesMs: 0 };
  const collection = new IdleCollection({
    held: () => state.held,
    open: () => state.open,
    busy: () => state.busy,
    now: () => state.now,
    collect: () => {
      state.collections += 1;
      state.held = state.needed;
      state.now += state.takesMs;
    },
  });
  return {
    state,
    collection,
    /** Lets the process do something for as long as it takes to be looked at. */
    next: (change: Partial<typeof state> = {}) => {
      Object.assign(state, change);
      state.now += LOOK_MS;
      vi.advanceTimersByTime(LOOK_MS);
      return state.collections;
    },
  };
}

describe("Garbage is collected", () => {
  it("once the process is idle after a burst, and once only", () => {
    const { next } = startCollection();
    // What the start left.
    expect(next()).toBe(1);
    expect(next({ held: 200 * MIB, busy: 0.01 })).toBe(2);
    expect([next(), next()]).toEqual([2, 2]);
  });

  it("while the process works, in at most a four-hundredth of the time", () => {
    const { next } = startCollection();
    const looks = 200;
    const takesMs = 400;
    for (let look = 0; look < looks; look++) {
      next({ held: 200 * MIB, busy: 0.9, takesMs });
    }
    const collections = next({ held: 40 * MIB });
    expect(collections).toBeLessThanOrEqual((looks * (LOOK_MS + takesMs) * 0.0025) / takesMs + 1);
    expect(collections).toBeGreaterThan(3);
    // Work that leaves no garbage needs no collection, however long it goes on.
    for (let look = 0; look < looks; look++) {
      expect(next({ held: 60 * MIB })).toBe(collections);
    }
  });

  it("at once when the process becomes idle, though it collected a moment ago", () => {
    const { next } = startCollection();
    expect(next({ held: 200 * MIB, busy: 0.9, takesMs: 400 })).toBe(1);
    expect(next({ held: 200 * MIB })).toBe(1);
    expect(next({ busy: 0.01 })).toBe(2);
  });

  it("not while little was allocated since the last collection", () => {
    const { next } = startCollection();
    next();
    expect(next({ held: 71 * MIB })).toBe(1);
    expect(next({ held: 73 * MIB })).toBe(2);
  });

  it("by what is held above the least since the last one, where V8 has collected by itself", () => {
    const { next } = startCollection();
    next();
    next({ held: 20 * MIB });
    expect(next({ held: 53 * MIB })).toBe(2);
  });

  it("again when half of the clients have left that held memory during the last one", () => {
    const { next, state } = startCollection();
    next();
    expect(next({ held: 200 * MIB, needed: 190 * MIB, open: 105 })).toBe(2);
    expect(next()).toBe(2);
    expect(next({ open: 60 })).toBe(2);
    expect(next({ open: 50, needed: 40 * MIB, busy: 0.9 })).toBe(2);
    expect(next({ busy: 0 })).toBe(3);
    expect(state.held).toBe(40 * MIB);
    expect(next({ open: 19 })).toBe(3);
  });

  it("not after the stop", async () => {
    const { next, collection } = startCollection();
    await collection.stop();
    expect(next({ held: 900 * MIB })).toBe(0);
  });
});

it("Garbage of this process is collected", async () => {
  // Made in a function of its own, so that nothing here holds it.
  const makeGarbage = () => new WeakRef(Array.from({ length: 64 }, () => new Uint8Array(MIB)));
  const garbage = makeGarbage();
  // A WeakRef holds its target until the end of the task.
  vi.useRealTimers();
  await new Promise((resolve) => setTimeout(resolve));
  createCollector().collect();
  expect(garbage.deref()).toBeUndefined();
});

it("Pages that become free are returned to the system", async () => {
  // In a process of its own, whose memory is its own too.
  const module = new URL("../../src/app/idle-collection.ts", import.meta.url).href;
  const script = `
    import { createCollector } from ${JSON.stringify(module)};
    const { held, collect } = createCollector();
    const start = held();
    const makeGarbage = () => Array.from({ length: 1_000_000 }, (_, i) => [i]).length;
    makeGarbage();
    const most = held();
    collect();
    console.log(JSON.stringify([most - start, held() - start]));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  const [most, left] = JSON.parse(stdout) as [number, number];
  expect(most).toBeGreaterThan(60 * MIB);
  // A plain collection leaves nearly all of it.
  expect(left).toBeLessThan(most / 2);
});

it("A thread that waits, as one without a processor does, is idle, and one that works is not", () => {
  vi.useRealTimers();
  const { busy } = createCollector();
  busy();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  expect(busy()).toBeLessThan(0.1);
  const { user } = process.threadCpuUsage();
  const since = performance.now();
  while (process.threadCpuUsage().user - user < 50_000) {
    // Works.
  }
  expect(busy()).toBeGreaterThan(25 / (performance.now() - since));
});
