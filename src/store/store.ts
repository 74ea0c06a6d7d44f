import { setTimeout } from "node:timers/promises";
import { type Kysely, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Signals } from "./signals.ts";

/** The state that the service keeps: a SQLite file, or a PostgreSQL database that replicas share. */
export interface Store {
  /**
   * Queries, each on its own or several in `db.transaction()`. What a write acknowledges is on disk when it returns.
   * A transaction may wait for nothing but its own queries: in SQLite everybody else waits for it meanwhile.
   * Queries throw ServiceError STATE_UNAVAILABLE where the database cannot be reached or stays locked, STORAGE_FULL
   * where its disk has no room for what they write.
   */
  readonly db: Kysely<Database>;
  readonly dialect: "sqlite" | "postgres";
  /** Where it is, as operators are told: the file, or the URL without its password. */
  readonly place: string;
  /**
   * Runs queries that no acknowledgement depends on, without waiting for the disk where that is safe. A process that
   * is killed loses none of them; a power failure may lose the last ones of a SQLite file.
   */
  relaxed<T>(work: (db: Kysely<Database>) => Promise<T>): Promise<T>;
  readonly signals: Signals;
  /** Whether writes are kept; false while the disk is full. Costs nothing while all is well. Never fails. */
  canWrite(): Promise<boolean>;
  close(): Promise<void>;
}

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
