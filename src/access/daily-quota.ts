import { setImmediate } from "node:timers/promises";
import { ServiceError } from "../error.ts";
import type { Store } from "../store/store.ts";
import { addUse, pruneUse, readUse, subtractUse } from "../store/tables/quota-use.ts";
import type { Caller } from "./caller.ts";
import type { Reservation, UsageReport } from "./quota.ts";
import type { Tier } from "./tier.ts";
import { UnlimitedUse } from "./unlimited-use.ts";

const DAY_MS = 24 * 3600 * 1000;
/** Units are given back to the day they were reserved on by calls that began in it; none goes on for so long. */
const KEPT_DAYS = 2;
/** Milliseconds' worth of rows. */
const PRUNED_AT_ONCE = 500;

/** Counts what callers use in a UTC day. */
export class DailyQuota {
  readonly #store: Store;
  readonly #limits: Readonly<Record<Tier, number | undefined>>;
  readonly #now: () => number;
  readonly #unlimited: UnlimitedUse;

  /** @param limits units a day; undefined is no limit. */
  constructor(store: Store, limits: Readonly<Record<Tier, number | undefined>>, now: () => number) {
    this.#store = store;
    this.#limits = limits;
    this.#now = now;
    this.#unlimited = new UnlimitedUse(store);
  }

  /** See Access. */
  async reserve({ tier, subject }: Caller, units: number): Promise<Reservation> {
    if (!Number.isInteger(units) || units < 1)
      throw new RangeError(`units is ${units}; must be a whole number above 0`);
    const day = this.#today();
    const of = { subject, day };
    const resetMs = (day + 1) * DAY_MS;
    const limit = this.#limits[tier];
    if (limit === undefined) {
      this.#unlimited.add(of, units);
      return { resetMs, giveBack: once(async () => this.#unlimited.add(of, -units)) };
    }
    const used = await this.#store.relaxed((db) => addUse(db, of, units, limit));
    if (used === undefined) {
      const left = Math.max(0, limit - (await readUse(this.#store.db, of)));
      throw exhausted({ tier, subject, limit, left, units, resetMs, now: this.#now() });
    }
    return {
      limit,
      remaining: limit - used,
      resetMs,
      giveBack: once(() => this.#store.relaxed((db) => subtractUse(db, of, units))),
    };
  }

  /** See Access. */
  async usage({ tier, subject }: Caller): Promise<UsageReport> {
    const day = this.#today();
    const of = { subject, day };
    const resetMs = (day + 1) * DAY_MS;
    const limit = this.#limits[tier];
    if (limit === undefined) return { tier, used: await this.#unlimited.read(of), resetMs };
    const used = await readUse(this.#store.db, of);
    return { tier, used, limit, remaining: Math.max(0, limit - used), resetMs };
  }

  /** Writes what is gathered in memory. */
  flush(): Promise<void> {
    return this.#unlimited.flush();
  }

  /** Forgets days that nobody asks for any more, until `signal` is aborted. */
  async prune(signal: AbortSignal): Promise<void> {
    const beforeDay = this.#today() - KEPT_DAYS;
    // A busy day leaves millions of rows, and SQLite lets nothing else happen while it deletes.
    const pruneSome = () => this.#store.relaxed((db) => pruneUse(db, beforeDay, PRUNED_AT_ONCE));
    while (!signal.aborted && (await pruneSome())) await setImmediate();
  }

  #today(): number {
    return Math.floor(this.#now() / DAY_MS);
  }
}

interface Exhausted {
  tier: Tier;
  subject: string;
  limit: number;
  left: number;
  units: number;
  resetMs: number;
  now: number;
}

function exhausted({ tier, subject, limit, left, units, resetMs, now }: Exhausted): ServiceError {
  const reset = new Date(resetMs).toISOString();
  const params = { tier, limit: String(limit), left: String(left), units: String(units), reset };
  return new ServiceError("QUOTA_EXHAUSTED", params, {
    retryAfterMs: Math.max(0, resetMs - now),
    quotaViolations: [{ subject, description: `${limit} recommendations a UTC day for the ${tier} tier` }],
    dailyQuota: { limit, remaining: left, resetMs },
    metadata: params,
  });
}

/** Work that is done at the first call only; later calls wait for it. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
