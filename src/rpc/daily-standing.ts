import { createContextKey } from "@connectrpc/connect";

/** How a caller stands with the daily quota. */
export interface DailyStanding {
  /** Units a day. */
  limit: number;
  /** What is left of them. */
  remaining: number;
  /** The midnight UTC that ends the day, in milliseconds since 1970. */
  resetMs: number;
}

/** How the caller of a call stands after it; undefined where it is not known, or there is no limit. */
export const dailyStandingKey = createContextKey<DailyStanding | undefined>(undefined, {
  description: "daily standing",
});
