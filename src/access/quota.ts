import { setImmediate } from "node:timers/promises";
import { ServiceError } from "../error.ts";
import type { Store } from "../store/index.ts";
import { addUse, increaseUse, pruneUse, type QuotaDay, readUse, subtractUse } from "../store/tables/index.ts";
import type { Caller, Tier, WiderSubject } from "./caller.ts";

/** What a caller has left of the daily quota. */
export interface DailyStanding {
  /** Units a day. */
  limit: number;
  /** Units left, never negative. */
  remaining: number;
  /** The midnight UTC that ends the day, in milliseconds since 1970. */
  resetMs: number;
}

/** Units that were counted before work that may yet fail. */
export interface Reservation {
  /** Units a day; undefined if the tier has no limit. */
  limit?: number;
  /** Units left after this reservation; undefined if the tier has no limit. */
  remaining?: number;
  /** The midnight UTC that ends the day of the reservation, in milliseconds since 1970. */
  resetMs: number;
  /**
   * Returns the units to the day of the reservation. Later calls do nothing.
   *
   * @throws ServiceError STATE_UNAVAILABLE if the database does not answer; the units may then stay counted.
   */
  giveBack(): Promise<void>;
}

/** What a caller used today. */
export interface UsageReport {
  tier: Tier;
  /**
   * Recommendations counted since midnight UTC. For Pro it is for information only: it is counted in memory and written
   * every few seconds, so other replicas see it with that delay.
   */
  used: number;
  /** Recommendations a day; undefined if the tier has no limit. */
  limit?: number;
  /** Recommendations left, never negative; undefined if the tier has no limit. */
  remaining?: number;
  /** The next midnight UTC, in milliseconds since 1970. */
  resetMs: number;
}

/**
 * Counts what callers without a limit use, for their information. It counts in memory, so that calls do not wait, and
 * writes on `flush`. A process that is killed loses the counts that it has not written.
 */
export class UnlimitedUse {
  readonly #store: Store;
  /** By subject and day. */
  readonly #pending = new Map<string, QuotaDay & { units: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param units negative for returned units. */
  add(of: QuotaDay, units: number): void {
    const row = rowOf(of);
    const key = `${row.subject} ${row.day}`;
    const entry = this.#pending.get(key);
    if (entry === undefined) {
      this.#pending.set(key, { ...row, units });
    } else {
      entry.units += units;
    }
  }

  /** The written counts of all replicas, and this one's pending counts. */
  async read(of: QuotaDay): Promise<number> {
    const row = rowOf(of);
    const written = await readUse(this.#store.db, row);
    return Math.max(0, written + (this.#pending.get(`${row.subject} ${row.day}`)?.units ?? 0));
  }

  /** Writes the pending counts. A count that cannot be written stays pending. */
  async flush(): Promise<void> {
    for (const [key, entry] of [...this.#pending]) {
      const { units } = entry;
      if (units > 0) {
        await this.#store.relaxed(increaseUse, entry, units);
      }
      if (units < 0) {
        await this.#store.relaxed(subtractUse, entry, -units);
      }
      entry.units -= units;
      if (entry.units === 0) {
        this.#pending.delete(key);
      }
    }
  }
}

/** A row apart, because use without a limit must not count against the limit of the owner's other keys. */
function rowOf({ subject, day }: QuotaDay): QuotaDay {
  return { subject: `unlimited:${subject}`, day };
}

const DAY_MS = 24 * 3600 * 1000;
/** Days whose rows are kept, because calls return units to the day that they began on. No call takes longer. */
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
  async reserve(caller: Caller, units: number): Promise<Reservation> {
    const { tier, subject, wider = [] } = caller;
    if (!Number.isInteger(units) || units < 1) {
      throw new RangeError(`units is ${units}; must be a whole number above 0`);
    }
    const day = this.#today();
    const of = { subject, day };
    const resetMs = (day + 1) * DAY_MS;
    const limit = this.#limitOf(caller);
    if (limit === undefined) {
      this.#unlimited.add(of, units);
      return { resetMs, giveBack: once(async () => this.#unlimited.add(of, -units)) };
    }
    const counts: Count[] = [{ of, limit }, ...wider.map((network) => countOf(network, day, limit))];
    const counted: Count[] = [];
    const giveBack = once(async () => {
      for (const { of } of counted) {
        await this.#store.relaxed(subtractUse, of, units);
      }
    });
    let remaining = Number.POSITIVE_INFINITY;
    // The caller's own first: a caller without units left takes nothing from the networks around.
    for (const count of counts) {
      const used = await this.#store.relaxed(addUse, count.of, units, count.limit);
      if (used === undefined) {
        await giveBack();
        const left = Math.max(0, Math.min(limit, count.limit - (await readUse(this.#store.db, count.of))));
        throw exhausted({ tier, count, limit, left, units, resetMs, now: this.#now() });
      }
      counted.push(count);
      remaining = Math.min(remaining, count.limit - used);
    }
    return { limit, remaining, resetMs, giveBack };
  }

  /** See Access. */
  async usage(caller: Caller): Promise<UsageReport> {
    const { tier, subject, wider = [] } = caller;
    const day = this.#today();
    const of = { subject, day };
    const resetMs = (day + 1) * DAY_MS;
    const limit = this.#limitOf(caller);
    if (limit === undefined) {
      return { tier, used: await this.#unlimited.read(of), resetMs };
    }
    const used = await readUse(this.#store.db, of);
    let remaining = limit - used;
    for (const network of wider) {
      const count = countOf(network, day, limit);
      remaining = Math.min(remaining, count.limit - (await readUse(this.#store.db, count.of)));
    }
    return { tier, used, limit, remaining: Math.max(0, remaining), resetMs };
  }

  /** See Access. */
  async standing(caller: Caller): Promise<DailyStanding | undefined> {
    const limit = this.#limitOf(caller);
    if (limit === undefined) {
      return undefined;
    }
    const { remaining = 0, resetMs } = await this.usage(caller);
    return { limit, remaining, resetMs };
  }

  /** Writes the counts in memory. */
  flush(): Promise<void> {
    return this.#unlimited.flush();
  }

  /** Deletes the counts of past days, until `signal` aborts. */
  async prune(signal: AbortSignal): Promise<void> {
    const beforeDay = this.#today() - KEPT_DAYS;
    // A busy day leaves millions of rows, and SQLite blocks everything else while it deletes.
    const pruneSome = () => this.#store.relaxed(pruneUse, beforeDay, PRUNED_AT_ONCE);
    while (!signal.aborted && (await pruneSome())) {
      await setImmediate();
    }
  }

  #limitOf({ tier, isUnlimited }: Caller): number | undefined {
    return isUnlimited === true ? undefined : this.#limits[tier];
  }

  #today(): number {
    return Math.floor(this.#now() / DAY_MS);
  }
}

/** A daily count and its limit. */
interface Count {
  of: QuotaDay;
  limit: number;
  /** The length of an IPv6 network's prefix in bits; undefined for a caller's own count. */
  bits?: number;
}

function countOf({ subject, times, bits }: WiderSubject, day: number, limit: number): Count {
  return { of: { subject, day }, limit: times * limit, bits };
}

interface Exhausted {
  tier: Tier;
  count: Count;
  limit: number;
  left: number;
  units: number;
  resetMs: number;
  now: number;
}

function exhausted({ tier, count, limit, left, units, resetMs, now }: Exhausted): ServiceError {
  const reset = new Date(resetMs).toISOString();
  const metadata = { tier, limit: String(limit), left: String(left), units: String(units), reset };
  const words = { recommendations: recommendations(limit), are: left === 1 ? "is" : "are" };
  return new ServiceError(
    "QUOTA_EXHAUSTED",
    { ...metadata, ...words },
    {
      retryAfterMs: Math.max(0, resetMs - now),
      quotaViolations: [
        {
          subject: count.of.subject,
          description: `${count.limit} ${recommendations(count.limit)} a day (UTC) for ${count.bits === undefined ? "" : `an IPv6 /${count.bits} in `}the ${tier} tier`,
        },
      ],
      dailyQuota: { limit, remaining: left, resetMs },
      metadata,
    },
  );
}

const recommendations = (count: number): string => (count === 1 ? "recommendation" : "recommendations");

/** Does work at the first call only. Later calls wait for the same work. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
