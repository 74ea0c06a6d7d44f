import { setImmediate } from "node:timers/promises";
import type { Store } from "../store/store.ts";
import { pruneMatches } from "../store/tables/matches.ts";
import { pruneRequests } from "../store/tables/requests.ts";

/** How long matches are kept. */
const MATCHES_KEPT_MS = 30 * 24 * 3600 * 1000;
/** Milliseconds' worth of rows. */
const ROWS_AT_ONCE = 500;

/** Deletes matches of more than 30 days ago and request ids of more than a day ago, a few rows at a time. */
export async function forgetOld(store: Store, now: number, signal: AbortSignal): Promise<void> {
  const steps = [
    () => store.relaxed((db) => pruneMatches(db, now - MATCHES_KEPT_MS, ROWS_AT_ONCE)),
    () => store.relaxed((db) => pruneRequests(db, now, ROWS_AT_ONCE)),
  ];
  for (const step of steps) while (!signal.aborted && (await step())) await setImmediate();
}
