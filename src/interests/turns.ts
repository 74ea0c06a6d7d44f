import { setImmediate } from "node:timers/promises";
import type { CallsInFlight } from "../batches/index.ts";

/** How long work goes on before others get their turn, in milliseconds. */
const TURN_MS = 5;
/** How long work waits for callers at each turn: where there are always some, it must go on all the same. */
const QUIET_MS = 10;

/** To be called after each part of long work, and waited for where it returns something. */
export type GiveTurn = () => Promise<void> | undefined;

/** Lets a server answer calls between the parts of long work, and lets those callers who wait go first. */
export function givingTurns(calls: Pick<CallsInFlight, "quiet">): GiveTurn {
  let until = performance.now() + TURN_MS;
  const wait = async () => {
    await setImmediate();
    await calls.quiet(QUIET_MS);
    until = performance.now() + TURN_MS;
  };
  return () => (performance.now() < until ? undefined : wait());
}
