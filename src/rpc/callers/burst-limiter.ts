import { TokenBucket } from "limiter";
import { ServiceError } from "../../error.ts";

/** A token bucket: how many calls a client may make in each second in the long run, and how many at once. */
export interface BurstRate {
  perSecond: number;
  bucket: number;
}

/** Clients whose buckets are kept: about 10 MB. */
const MAX_CLIENTS = 20_000;

/**
 * Limits how fast clients may call. Each client has a token bucket in the memory of this process. There is room for
 * 20,000 buckets. Then the bucket that has not been used for the longest time is dropped. Its client gets a full bucket
 * when it returns.
 */
export class BurstLimiter {
  readonly rate: BurstRate;
  /** The bucket that has not been used for the longest time is first. */
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(rate: BurstRate) {
    this.rate = rate;
  }

  /** Takes a token of a client. @returns whether there was one. */
  take(client: string): boolean {
    const bucket = this.#buckets.get(client) ?? this.#full();
    this.#buckets.delete(client);
    this.#buckets.set(client, bucket);
    if (this.#buckets.size > MAX_CLIENTS) {
      this.#buckets.delete(this.#buckets.keys().next().value as string);
    }
    return bucket.tryRemoveTokens(1);
  }

  /** Returns a token to a client's bucket. */
  giveBack(client: string): void {
    const bucket = this.#buckets.get(client);
    if (bucket !== undefined) {
      bucket.content = Math.min(bucket.content + 1, this.rate.bucket);
    }
  }

  /** Whole tokens that a client has left. */
  remaining(client: string): number {
    const bucket = this.#buckets.get(client);
    if (bucket === undefined) {
      return this.rate.bucket;
    }
    bucket.drip();
    return Math.floor(bucket.content);
  }

  /** Milliseconds until a client has a token. */
  waitMs(client: string): number {
    return this.#buckets.get(client)?.getWaitTime(1) ?? 0;
  }

  #full(): TokenBucket {
    const bucket = new TokenBucket({
      bucketSize: this.rate.bucket,
      tokensPerInterval: this.rate.perSecond,
      interval: "second",
    });
    bucket.content = this.rate.bucket;
    return bucket;
  }
}

/** The clients that a route is for. */
export interface RouteAudience {
  /**
   * Default: callers, who are identified by key or address. `everyone`: the answer is the same for all clients, such as
   * a page. `monitors`: the answer is about the service itself. For `everyone` and `monitors` no key is read, and each
   * of the two has its own burst limit.
   */
  audience?: "everyone" | "monitors";
  /** Whether a route costs so little that it has no burst limit. */
  isProbe?: boolean;
}

/**
 * The bucket of the burst limit for a request without a key; undefined if the route has no limit. Pages and monitors
 * have their own buckets: a client that has called too often can still open the page from the same address, and a
 * balancer there still sees a healthy service.
 *
 * @param network see addressNetwork.
 */
export function bucketOf({ audience, isProbe }: RouteAudience, network: string): string | undefined {
  if (isProbe) {
    return undefined;
  }
  if (audience === "monitors") {
    return `monitors ${network}`;
  }
  return audience === "everyone" ? `pages ${network}` : network;
}

/** The error for a client whose bucket is empty. */
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
