import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "./errors.ts";
import type { Store } from "./store.ts";
import { releaseLease, renewLease, takeLease } from "./tables/leases.ts";

/** How a lease is taken. */
export interface LeaseOptions {
  /** Names the work that only one of the processes sharing the store does at a time. */
  name: string;
  /** Milliseconds until the lease of a dead process expires. Default 30,000. A third of it passes between renewals. */
  ttlMs?: number;
  /** Milliseconds between attempts to take the lease. Default 250. */
  retryMs?: number;
  /** Ends the wait for the lease. */
  signal?: AbortSignal;
}

const RETRY_MS = 250;

/**
 * Runs work while this process holds a lease that is shared by all processes of a store. Waits for the lease without a
 * limit; a dead holder's lease becomes free when it expires.
 *
 * @param work gets `assertHeld`, which it must call before every exclusive step. That throws STATE_UNAVAILABLE if the
 * lease was not renewed in time, because another process may hold it by now. A step should take less than half of
 * `ttlMs`.
 * @throws the reason of `signal` if it aborts the wait; ServiceError STATE_UNAVAILABLE if the store does not answer.
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

/** A lease that is held, and renewed meanwhile. */
class Hold {
  readonly #store: Store;
  readonly #lease: { name: string; term: number; ttlMs: number };
  /** By this process's monotonic clock, read before the request: the lease expires later than this suggests. */
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
    // If the database does not answer, the lease expires by itself.
    await releaseLease(this.#store, this.#lease).catch(() => {});
  }
}
