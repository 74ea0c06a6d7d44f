import type { JsonValue } from "@bufbuild/protobuf";
import { Mismatch } from "./mismatch.ts";
import type { ProblemLog } from "./problem-log.ts";

/** protobuf-es counts each level of a Value twice, and gives up at 100. */
const MAX_DEPTH = 90;
const TOO_DEEP = new Mismatch(`at most ${MAX_DEPTH} levels`);
const FINITE = new Mismatch("a finite number");

/**
 * Checks JSON of any shape, as google.protobuf.Value takes it, and turns bigints in it into numbers in place.
 * Returns undefined if it is too deep or has a number beyond the range of a double.
 */
export function freeJson(json: unknown, log: ProblemLog): JsonValue | undefined {
  if (typeof json === "bigint" || typeof json === "number") {
    const value = Number(json);
    if (!Number.isFinite(value)) {
      log.mismatch(FINITE);
      return undefined;
    }
    return value;
  }
  if (typeof json !== "object" || json === null) {
    return json as JsonValue;
  }
  if (log.depth > MAX_DEPTH) {
    log.mismatch(TOO_DEEP);
    return undefined;
  }
  const container = json as Record<string, unknown>;
  for (const key of Object.keys(json)) {
    log.enter(Array.isArray(json) ? Number(key) : key);
    const value = freeJson(container[key], log);
    if (value !== undefined && value !== container[key]) {
      container[key] = value;
    }
    log.leave();
    if (log.full) {
      return undefined;
    }
  }
  return json as JsonValue;
}
