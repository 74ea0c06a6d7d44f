import { ServiceError } from "../../error.ts";

/** Limits of an Admission. */
export interface AdmissionOptions {
  /** Pieces of work at a time, at least 1. */
  places: number;
  /** Calls that may wait for a place; more are refused at once. */
  mostWaiting: number;
  /** The longest time that they wait, in milliseconds. */
  maxWaitMs: number;
}

/**
 * Limits how much work is done at a time, so that admitted work is done soon. Other work waits for a place, first come,
 * first served. It is refused if it gets no place within a short time.
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
   * Takes a place for work as soon as one is free. Call leave() after the work.
   *
   * @param signal ends the wait with its reason.
   * @returns a promise if there is no free place now.
   * @throws ServiceError OVERLOADED with the time to try again.
   */
  enter(signal?: AbortSignal): Promise<void> | undefined {
    signal?.throwIfAborted();
    if (this.#working < this.#options.places) {
      this.#working += 1;
      return undefined;
    }
    return this.#wait(signal);
  }

  async #wait(signal: AbortSignal | undefined): Promise<void> {
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

  /** Gives a place to the call that has waited the longest. */
  leave(): void {
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
