import type { Tier } from "./tier.ts";

/** Units that were counted before work that may yet fail. */
export interface Reservation {
  /** Units a day; undefined where the tier has no limit. */
  limit?: number;
  /** What is left of them after this reservation; undefined where the tier has no limit. */
  remaining?: number;
  /** The midnight UTC that ends the day they were reserved on, in milliseconds since 1970. */
  resetMs: number;
  /**
   * Gives the units back to the day they were reserved on. Once: what follows the first call does nothing.
   *
   * @throws ServiceError STATE_UNAVAILABLE when the database does not answer; the units may then stay counted.
   */
  giveBack(): Promise<void>;
}

/** What a caller used today. */
export interface UsageReport {
  tier: Tier;
  /**
   * Recommendations counted since midnight UTC. For Pro a figure for information: it is gathered in memory and written
   * every few seconds, so other replicas know of it that much later.
   */
  used: number;
  /** Recommendations a day; undefined where the tier has no limit. */
  limit?: number;
  /** What is left of them, never negative; undefined where the tier has no limit. */
  remaining?: number;
  /** The next midnight UTC, in milliseconds since 1970. */
  resetMs: number;
}
