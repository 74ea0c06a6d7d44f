import type { Store } from "../store/store.ts";
import { increaseUse, type QuotaDay, readUse, subtractUse } from "../store/tables/quota-use.ts";

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
    if (entry === undefined) this.#pending.set(key, { ...row, units });
    else entry.units += units;
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
      if (units > 0) await this.#store.relaxed((db) => increaseUse(db, entry, units));
      if (units < 0) await this.#store.relaxed((db) => subtractUse(db, entry, -units));
      entry.units -= units;
      if (entry.units === 0) this.#pending.delete(key);
    }
  }
}

/** An owner's other keys may have a limit, and what is used without one must not count against it. */
function rowOf({ subject, day }: QuotaDay): QuotaDay {
  return { subject: `unlimited:${subject}`, day };
}
