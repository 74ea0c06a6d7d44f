import { ServiceError } from "../../error.ts";
import type { BurstLimiter } from "./burst-limiter.ts";

/** What a client is told that has used up its bucket. */
export function burstExceeded(burst: BurstLimiter, client: string): ServiceError {
  const { perSecond, bucket } = burst.rate;
  const retryAfterMs = burst.waitMs(client);
  const params = { per_second: String(perSecond), bucket: String(bucket), wait_ms: String(retryAfterMs) };
  return new ServiceError("BURST_EXCEEDED", params, {
    retryAfterMs,
    quotaViolations: [{ subject: "client", description: `${perSecond} requests a second, ${bucket} at once` }],
    burstLimit: { perSecond, bucket, remaining: burst.remaining(client) },
    metadata: params,
  });
}
