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
  /** Units a day; undefined where the tier has no limit. */
  limit?: number;
  /** What is left of them after this reservation; undefined where the tier has no limit. */
  remaining?: number;
  /** The midnight UTC that ends the day they were reserved on, in milliseconds since 1970. */
  resetMs: number;
  /**
   * Gives the units back to the day they were reserved on. Once: what follows the first call does nothing.
   *
   * @throws ServiceError STATE_UNAVAILABLE when the database does not answer; the units may then stay counted.
   */
  giveBack(): Promise<void>;
}

/** What a caller used today. */
export interface UsageReport {
  tier: Tier;
  /**
   * Recommendations counted since midnight UTC. For Pro a figure for information: it is gathered in memory and written
   * every few seconds, so other replicas know of it that much later.
   */
  used: number;
  /** Recommendations a day; undefined where the tier has no limit. */
  limit?: number;
  /** What is left of them, never negative; undefined where the tier has no limit. */
  remaining?: number;
  /** The next midnight UTC, in milliseconds since 1970. */
  resetMs: number;
}

/**
 * Counts what callers without a limit use, for their information: in memory, so that it costs their calls nothing,
 * and written when `flush` is called. A process that is killed loses what it has not written.
 */
export class UnlimitedUse {
  readonly #store: Store;
  /** By subject and day. */
  readonly #pending = new Map<string, QuotaDay & { units: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param units negative for what is given back. */
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

  /** What is written by all replicas and pending in this one. */
  async read(of: QuotaDay): Promise<number> {
    const row = rowOf(of);
    const written = await readUse(this.#store.db, row);
    return Math.max(0, written + (this.#pending.get(`${row.subject} ${row.day}`)?.units ?? 0));
  }

  /** Writes what is pending. What cannot be written stays so. */
  async flush(): Promise<void> {
    for (const [key, entry] of [...this.#pending]) {
      const { units } = entry;
      if (units > 0) {
        await this.#store.relaxed((db) => increaseUse(db, entry, units));
      }
      if (units < 0) {
        await this.#store.relaxed((db) => subtractUse(db, entry, -units));
      }
      entry.units -= units;
      if (entry.units === 0) {
        this.#pending.delete(key);
      }
    }
  }
}

/** An owner's other keys may have a limit, and what is used without one must not count against it. */
function rowOf({ subject, day }: QuotaDay): QuotaDay {
  return { subject: `unlimited:${subject}`, day };
}

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
  async reserve({ tier, subject, wider = [] }: Caller, units: number): Promise<Reservation> {
    if (!Number.isInteger(units) || units < 1) {
      throw new RangeError(`units is ${units}; must be a whole number above 0`);
    }
    const day = this.#today();
    const of = { subject, day };
    const resetMs = (day + 1) * DAY_MS;
    const limit = this.#limits[tier];
    if (limit === undefined) {
      this.#unlimited.add(of, units);
      return { resetMs, giveBack: once(async () => this.#unlimited.add(of, -units)) };
    }
    const counts: Count[] = [{ of, limit }, ...wider.map((network) => countOf(network, day, limit))];
    const counted: Count[] = [];
    const giveBack = once(async () => {
      for (const { of } of counted) {
        await this.#store.relaxed((db) => subtractUse(db, of, units));
      }
    });
    let remaining = Number.POSITIVE_INFINITY;
    // The caller's own first: whoever has used up theirs takes nothing of the networks around.
    for (const count of counts) {
      const used = await this.#store.relaxed((db) => addUse(db, count.of, units, count.limit));
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
  async usage({ tier, subject, wider = [] }: Caller): Promise<UsageReport> {
    const day = this.#today();
    const of = { subject, day };
    const resetMs = (day + 1) * DAY_MS;
    const limit = this.#limits[tier];
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
    const limit = this.#limits[caller.tier];
    if (limit === undefined) {
      return undefined;
    }
    const { remaining = 0, resetMs } = await this.usage(caller);
    return { limit, remaining, resetMs };
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
    while (!signal.aborted && (await pruneSome())) {
      await setImmediate();
    }
  }

  #today(): number {
    return Math.floor(this.#now() / DAY_MS);
  }
}

/** What is counted on a day, and how far. */
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
  const params = { tier, limit: String(limit), left: String(left), units: String(units), reset };
  return new ServiceError("QUOTA_EXHAUSTED", params, {
    retryAfterMs: Math.max(0, resetMs - now),
    quotaViolations: [
      {
        subject: count.of.subject,
        description: `${count.limit} recommendations a UTC day for ${count.bits === undefined ? "" : `an IPv6 /${count.bits} in `}the ${tier} tier`,
      },
    ],
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
