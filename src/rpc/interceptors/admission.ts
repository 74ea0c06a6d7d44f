import type { DescMethod } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../../gen/modelscout/v1/webhook_pb.ts";
import { ServiceError } from "../../error.ts";
import { methodAccess } from "../call/method-options.ts";

/** How much is let in. */
export interface AdmissionOptions {
  /** Pieces of work at a time, at least 1. */
  places: number;
  /** How many wait for a place at most; more are refused at once. */
  mostWaiting: number;
  /** The longest that they wait, in milliseconds. */
  maxWaitMs: number;
}

/**
 * Lets work in, so much at a time that those inside are done soon. The rest waits for a short time, first come, first
 * served, and is refused when that is over.
 *
 * Nobody is refused early by how long it will probably take: callers who come back at once cost more than callers who
 * wait, until refusing them is all that is done.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #waiting = new Set<() => void>();
  #working = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * Does work when there is a place for it.
   *
   * @param signal ends the wait with its reason.
   * @throws ServiceError OVERLOADED with when to try again, and what the work throws.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#working < this.#options.places) {
      this.#working += 1;
    } else {
      await this.#place(signal);
    }
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Waits for a place that somebody leaves. */
  async #place(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#options.mostWaiting) {
      throw this.#overloaded();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const refuse = (reason: unknown) => {
      // At once: a place that is given to who is gone would be lost.
      this.#waiting.delete(resolve);
      reject(reason);
    };
    const timer = setTimeout(() => refuse(this.#overloaded()), this.#options.maxWaitMs);
    const onAbort = () => refuse(signal?.reason);
    signal?.addEventListener("abort", onAbort);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Gives the place to who waits the longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#working -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  #overloaded(): ServiceError {
    // By then all who wait now are done or refused.
    return new ServiceError("OVERLOADED", {}, { retryAfterMs: Math.max(1_000, this.#options.maxWaitMs) });
  }
}

/** Long enough for a burst of a hundred callers on two cores, short enough that nobody has given up. */
const MAX_WAIT_MS = 1_000;
/** A batch takes seconds by itself: a few of them at once are not too many. */
const MAX_BATCH_WAIT_MS = 10_000;
/** More would not come in within that time, but by chance. */
const WAITING_PER_PLACE = 64;

/** Calls at a time that do next to nothing but wait for servers of others, for seconds where these are silent. */
const WAITING_ELSEWHERE = 64;
const { createWebhook, updateWebhook, testWebhook } = WebhookService.method;

/**
 * Bounds how many unary calls of the contract are worked on at a time, and refuses those that would wait for too long.
 * What monitors and operators ask is let through, and streams are: they wait most of the time.
 *
 * @param places calls at a time. Batches, which take as long as many calls, have a fourth of that beside it, and those that
 * wait for servers of others have places of their own.
 */
export function admissionInterceptor(places: number): Interceptor {
  const calls = admission(places, MAX_WAIT_MS);
  const batches = admission(Math.ceil(places / 4), MAX_BATCH_WAIT_MS);
  const elsewhere = admission(WAITING_ELSEWHERE, MAX_WAIT_MS);
  const placesOf = new Map<DescMethod, Admission>([
    [RecommendationService.method.batchRecommend, batches],
    ...[createWebhook, updateWebhook, testWebhook].map((method) => [method, elsewhere] as const),
  ]);
  return (next) => (req) => {
    const { isOpen, tier } = methodAccess(req.method);
    if (req.stream || isOpen || tier === "operator") {
      return next(req);
    }
    return (placesOf.get(req.method) ?? calls).run(() => next(req), req.signal);
  };
}

function admission(places: number, maxWaitMs: number): Admission {
  return new Admission({ places, mostWaiting: places * WAITING_PER_PLACE, maxWaitMs });
}
