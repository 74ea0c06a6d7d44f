import { setImmediate } from "node:timers/promises";
import type { CallsInFlight } from "./calls-in-flight.ts";

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
