import type { FastifyContextConfig } from "fastify";
import { TokenBucket } from "limiter";
import { ServiceError } from "../../error.ts";

/** A token bucket: what a client may do in the long run, and at once. */
export interface BurstRate {
  perSecond: number;
  bucket: number;
}

/** As many clients have a bucket: about 10 MB of them. */
const MAX_CLIENTS = 20_000;

/**
 * Limits how fast clients may call, each by a token bucket, in the memory of this process. Where there are more than
 * 20,000 clients, those that were quiet the longest are forgotten, and have a full bucket when they come back.
 */
export class BurstLimiter {
  readonly rate: BurstRate;
  /** Quiet the longest first. */
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

  /** Gives back a token that was taken for what another bucket turned out to be there for. */
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

/**
 * The bucket of the burst limit that a request without a key is taken from; undefined where it is from none. Pages and
 * monitors have buckets of their own, so that whoever calls too often at an address can still open the page there, and
 * a balancer there is not told that the service is ill.
 *
 * @param network see addressNetwork.
 */
export function bucketOf({ audience, isProbe }: FastifyContextConfig, network: string): string | undefined {
  if (isProbe) {
    return undefined;
  }
  if (audience === "monitors") {
    return `monitors ${network}`;
  }
  return audience === "everyone" ? `pages ${network}` : network;
}

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
