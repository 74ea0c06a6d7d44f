import { setImmediate } from "node:timers/promises";

/** Counts the calls whose callers wait for an answer, so that background work can let them go first. */
export class CallsInFlight {
  #count = 0;
  readonly #waiting = new Set<() => void>();

  /** Counts a call that begins. */
  begin(): void {
    this.#count += 1;
  }

  /** Ends the count of a call that is answered. */
  end(): void {
    this.#count -= 1;
    if (this.#count === 0) {
      for (const wake of [...this.#waiting]) {
        wake();
      }
    }
  }

  /** Waits until no call is open, at most for a time in milliseconds: there may always be an open call. */
  quiet(atMostMs: number): Promise<void> {
    if (this.#count === 0) {
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.#waiting.add(done);
    });
  }
}

/** How long work holds the event loop before it yields, in milliseconds. */
const SLICE_MS = 5;
/** How long work waits for open calls at each yield, in milliseconds. Bounded, since there may always be an open call. */
const QUIET_MS = 10;

/** Call it after each part of long work, and await what it returns. */
export type YieldToEventLoop = () => Promise<void> | undefined;

/**
 * Lets a server answer calls between the parts of long work. The returned function yields to the event loop once 5 ms
 * of work have passed since it last yielded, and otherwise returns undefined at once.
 *
 * @param calls open calls that go first: each yield waits until none is open, 10 ms at most. Default: none.
 */
export function createYieldToEventLoop(calls?: Pick<CallsInFlight, "quiet">): YieldToEventLoop {
  let until = performance.now() + SLICE_MS;
  const wait = async () => {
    await setImmediate();
    await calls?.quiet(QUIET_MS);
    until = performance.now() + SLICE_MS;
  };
  return () => (performance.now() < until ? undefined : wait());
}
