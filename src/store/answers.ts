import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import type { Store } from "./store.ts";

/** Whether the database answers within a time in milliseconds. Never fails. */
export async function answers({ db }: Pick<Store, "db">, withinMs: number): Promise<boolean> {
  const over = new AbortController();
  try {
    const late = setTimeout(withinMs, false, { signal: over.signal, ref: false }).catch(() => false);
    return await Promise.race([sql`select 1`.execute(db).then(() => true), late]);
  } catch {
    // Why it does not answer is told to those whose calls need it.
    return false;
  } finally {
    over.abort();
  }
}
