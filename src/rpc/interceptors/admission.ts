import type { DescMethod } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";
import { RecommendationService } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../../gen/modelscout/v1/webhook_pb.ts";
import { ServiceError } from "../../error.ts";
import { methodAccess } from "../call/method-options.ts";

/** Limits of an Admission. */
export interface AdmissionOptions {
  /** Pieces of work at a time, at least 1. */
  places: number;
  /** Calls that may wait for a place; more are refused at once. */
  mostWaiting: number;
  /** The longest that they wait, in milliseconds. */
  maxWaitMs: number;
}

/**
 * Bounds how much work is done at a time, so that admitted work is done soon. The rest waits for a short time, first
 * come, first served, and is then refused.
 *
 * No call is refused early because its wait will probably be too long: callers who retry at once cost more than callers
 * who wait, until the service does nothing but refuse.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #waiting = new Set<() => void>();
  #working = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * Does work as soon as a place is free.
   *
   * @param signal ends the wait with its reason.
   * @throws ServiceError OVERLOADED with the time to try again, and what the work throws.
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

  /** Waits for a free place. */
  async #place(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.#options.mostWaiting) {
      throw this.#overloaded();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    const refuse = (reason: unknown) => {
      // Removed at once: a place given to a call that has ended would be lost.
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

  /** Gives the place to the call that has waited the longest. */
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
    // By then all calls that wait now are done or refused.
    return new ServiceError("OVERLOADED", {}, { retryAfterMs: Math.max(1_000, this.#options.maxWaitMs) });
  }
}

/** Long enough for a burst of a hundred callers on two cores, short enough that no caller has given up. */
const MAX_WAIT_MS = 1_000;
/** A batch takes seconds, so it may wait longer for a few others. */
const MAX_BATCH_WAIT_MS = 10_000;
/** More calls would hardly get a place within that time. */
const WAITING_PER_PLACE = 64;

/** Places for calls that mostly wait for other servers, for seconds if those do not answer. */
const WAITING_ELSEWHERE = 64;
const { createWebhook, updateWebhook, testWebhook } = WebhookService.method;

/**
 * Bounds how many unary calls of the contract run at a time, and refuses those that have waited too long. Calls of
 * monitors and operators are not bounded, nor are streams, which wait most of the time.
 *
 * @param places calls at a time. Batches, which take as long as many calls, have a fourth as many places besides these,
 * and calls that wait for other servers have their own places.
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
