import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "./errors.ts";
import type { Store } from "./store.ts";
import { releaseLease, renewLease, takeLease } from "./tables/leases.ts";

/** What is done under a lease. */
export interface LeaseOptions {
  /** What only one of all processes that share the store does at a time. */
  name: string;
  /** How long the lease outlives a process that died, in milliseconds. Default 30,000. It is renewed three times as often. */
  ttlMs?: number;
  /** How often a waiting process looks again, in milliseconds. Default 250. */
  retryMs?: number;
  /** Ends the wait for it. */
  signal?: AbortSignal;
}

const RETRY_MS = 250;

/**
 * Runs work while this process holds a lease that all processes which share a store know. Waits for it as long as that
 * takes; one whose holder died is free once it has expired.
 *
 * @param work gets what it has to call before every step that others must not do meanwhile: it throws
 * STATE_UNAVAILABLE when the lease could not be renewed in time, so that somebody else may hold it by now. A step that
 * it allowed should take less than half of the lease's time.
 * @throws what `signal` is aborted with while it waits; ServiceError STATE_UNAVAILABLE where the store cannot be asked.
 */
export async function withLease<T>(
  store: Store,
  { name, ttlMs = 30_000, retryMs = RETRY_MS, signal }: LeaseOptions,
  work: (assertHeld: () => void) => Promise<T>,
): Promise<T> {
  const holder = `${hostname()} ${process.pid}`;
  let asked = performance.now();
  let term = await takeLease(store, { name, holder, ttlMs });
  while (term === undefined) {
    await sleep(retryMs, undefined, { signal });
    asked = performance.now();
    term = await takeLease(store, { name, holder, ttlMs });
  }
  const hold = new Hold(store, { name, term, ttlMs }, asked);
  try {
    return await work(() => hold.assert());
  } finally {
    await hold.end();
  }
}

/** A lease that is held, and renewed for as long. */
class Hold {
  readonly #store: Store;
  readonly #lease: { name: string; term: number; ttlMs: number };
  /** By this process's own clock, which no operator sets back. It expires later, because it was asked for before. */
  #renewedAt: number;
  #isLost = false;
  #problem: unknown;
  readonly #timer: NodeJS.Timeout;
  #renewing: Promise<void> = Promise.resolve();

  constructor(store: Store, lease: { name: string; term: number; ttlMs: number }, renewedAt: number) {
    this.#store = store;
    this.#lease = lease;
    this.#renewedAt = renewedAt;
    this.#timer = setInterval(() => {
      this.#renewing = this.#renewing.then(() => this.#renew());
    }, lease.ttlMs / 3);
  }

  async #renew(): Promise<void> {
    const asked = performance.now();
    try {
      if (await renewLease(this.#store, this.#lease)) {
        this.#renewedAt = asked;
      } else {
        this.#isLost = true;
      }
    } catch (error) {
      // The database may be back before the lease expires.
      this.#problem = error;
    }
  }

  assert(): void {
    if (!this.#isLost && performance.now() - this.#renewedAt < this.#lease.ttlMs / 2) {
      return;
    }
    throw unavailable(new Error(`the lease of ${this.#lease.name} was not renewed in time`, { cause: this.#problem }));
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    // It expires by itself where the database cannot be told.
    await releaseLease(this.#store, this.#lease).catch(() => {});
  }
}
