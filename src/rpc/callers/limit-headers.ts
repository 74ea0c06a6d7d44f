import type { DailyStanding } from "../../access/index.ts";

/** What a client has left of the burst limit. */
export interface BurstStanding {
  /** Requests a second in the long run. */
  perSecond: number;
  /** Requests at once. */
  bucket: number;
  /** How many more requests it may send at once now. */
  remaining: number;
}

const DAY_S = 86_400;

/**
 * The daily quota in the headers of draft-ietf-httpapi-ratelimit-headers.
 *
 * @param now milliseconds since 1970.
 */
export function dailyHeaders({ limit, remaining, resetMs }: DailyStanding, now: number): Record<string, string> {
  const seconds = Math.max(0, Math.ceil((resetMs - now) / 1_000));
  return headers("daily", { quota: limit, windowS: DAY_S, remaining, seconds });
}

/** The burst limit in the same headers. Its window is the time in which a bucket fills. */
export function burstHeaders({ perSecond, bucket, remaining }: BurstStanding): Record<string, string> {
  const windowS = Math.ceil(bucket / perSecond);
  return headers("burst", { quota: bucket, windowS, remaining, seconds: Math.ceil((bucket - remaining) / perSecond) });
}

interface Limit {
  quota: number;
  windowS: number;
  remaining: number;
  /** Until the whole quota is available again. */
  seconds: number;
}

function headers(name: string, { quota, windowS, remaining, seconds }: Limit): Record<string, string> {
  return {
    "ratelimit-policy": `"${name}";q=${quota};w=${windowS}`,
    ratelimit: `"${name}";r=${remaining};t=${seconds}`,
  };
}
