import { setTimeout } from "node:timers/promises";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "./database.ts";
import type { Signals } from "./signals.ts";

/** Runs queries on a database, with further arguments for them. */
export type RunQueries<DB = Database> = <A extends unknown[], T>(
  work: (db: Kysely<DB>, ...args: A) => Promise<T>,
  ...args: A
) => Promise<T>;

/** The state that the service keeps: a SQLite file, or a PostgreSQL database that replicas share. */
export interface Store {
  /**
   * Queries, each on its own or several in `db.transaction()`. A write is on disk when it returns. A transaction must
   * only await its own queries, because in SQLite all other callers wait for it. Queries throw ServiceError
   * STATE_UNAVAILABLE if the database cannot be reached or stays locked, STORAGE_FULL if its disk is full.
   */
  readonly db: Kysely<Database>;
  readonly dialect: "sqlite" | "postgres";
  /** Where it is, for messages to operators: the file, or the URL without its password. */
  readonly place: string;
  /**
   * Runs queries whose result is not acknowledged to a caller, without waiting for the disk if that is safe. A killed
   * process loses none of them; a power failure may lose the last ones of a SQLite file.
   */
  relaxed: RunQueries;
  readonly signals: Signals;
  /** Whether writes succeed: false while the disk is full. Costs nothing while there is room. Never fails. */
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
    // Calls that need the database report why it does not answer.
    return false;
  } finally {
    over.abort();
  }
}

/** The database's time in milliseconds since 1970: one clock for all processes. */
export function databaseNow(dialect: Store["dialect"]): RawBuilder<number> {
  return dialect === "postgres"
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}
