import { describe, expect, it } from "vitest";
import { Admission } from "../../src/rpc/interceptors/admission.ts";

const LONG_MS = 600_000;

/** Work that is done when it is told to be. */
class Work {
  readonly started: number[] = [];
  readonly #ends: Array<() => void> = [];

  readonly of = (i: number) => async (): Promise<number> => {
    this.started.push(i);
    await new Promise<void>((resolve) => this.#ends.push(resolve));
    return i;
  };

  /** Ends what has worked the longest, and lets what follows from it happen. */
  async end(): Promise<void> {
    this.#ends.shift()?.();
    await settled();
  }
}

/** Does work in a place of its own, as the interceptor does. */
async function run<T>(admission: Admission, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await admission.enter(signal);
  try {
    return await work();
  } finally {
    admission.leave();
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const refused = { reason: "OVERLOADED", details: { retryAfterMs: expect.any(Number) } };

describe("Admission", () => {
  it("runs a limited number of calls at a time, and the rest in the order of arrival", async () => {
    const admission = new Admission({ places: 2, mostWaiting: 10, maxWaitMs: LONG_MS });
    const work = new Work();
    const results = [0, 1, 2, 3, 4].map((i) => run(admission, work.of(i)));
    await settled();
    expect(work.started).toEqual([0, 1]);
    await work.end();
    expect(work.started).toEqual([0, 1, 2]);
    await work.end();
    await work.end();
    await work.end();
    expect(work.started).toEqual([0, 1, 2, 3, 4]);
    await work.end();
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
  });

  it("gives the place of work that fails to the next", async () => {
    const admission = new Admission({ places: 1, mostWaiting: 10, maxWaitMs: LONG_MS });
    const failing = run(admission, async () => {
      throw new Error("no");
    });
    const next = run(admission, async () => "done");
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("done");
  });

  it("refuses calls that have waited for too long", async () => {
    const admission = new Admission({ places: 1, mostWaiting: 10, maxWaitMs: 1 });
    const work = new Work();
    const first = run(admission, work.of(0));
    await expect(run(admission, work.of(1))).rejects.toMatchObject(refused);
    await work.end();
    expect(await first).toBe(0);
    expect(await run(admission, async () => "free again")).toBe("free again");
  });

  it("refuses at once when too many wait", async () => {
    const admission = new Admission({ places: 1, mostWaiting: 2, maxWaitMs: LONG_MS });
    const work = new Work();
    const accepted = [0, 1, 2].map((i) => run(admission, work.of(i)));
    await expect(run(admission, work.of(3))).rejects.toMatchObject(refused);
    await work.end();
    accepted.push(run(admission, work.of(4)));
    for (const _ of accepted) {
      await work.end();
    }
    expect(await Promise.all(accepted)).toEqual([0, 1, 2, 4]);
  });

  it("ends the wait of a caller who has left, and loses no place", async () => {
    const admission = new Admission({ places: 1, mostWaiting: 10, maxWaitMs: LONG_MS });
    const work = new Work();
    const first = run(admission, work.of(0));
    const leaving = new AbortController();
    const left = expect(run(admission, work.of(1), leaving.signal)).rejects.toThrow("left");
    const third = run(admission, work.of(2));
    await settled();
    leaving.abort(new Error("left"));
    // In the same moment: the place goes to the third.
    await work.end();
    await left;
    await work.end();
    expect(await Promise.all([first, third])).toEqual([0, 2]);
    expect(work.started).toEqual([0, 2]);
    await expect(run(admission, work.of(3), AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  });
});
