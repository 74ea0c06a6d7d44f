import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { StoreError, storageFull, unavailable } from "../errors.ts";

/** Writers of other processes hold the lock for milliseconds. One that holds it this long is stuck. */
const MOST_WAITING_MS = 10_000;
const MOST_DELAY_MS = 20;
/** Prepared statements to keep. Queries are fixed in the code, so there are hardly more. */
const MOST_STATEMENTS = 200;

interface Prepared {
  statement: StatementSync;
  hasRows: boolean;
}

/** A connection that waits for other processes without blocking this one. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  readonly #onFull: () => void;

  /** @param onFull called when a write fails because the disk is full. */
  constructor(database: DatabaseSync, onFull: () => void = () => {}) {
    this.#database = database;
    this.#onFull = onFull;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#whenFree(() => {
      const { statement, hasRows } = this.#prepare(sql);
      const values = parameters as SQLInputValue[];
      if (hasRows) {
        return { rows: statement.all(...values) as R[] };
      }
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    });
  }

  /** Runs a statement without values, such as a pragma. */
  async run(sql: string): Promise<void> {
    await this.#whenFree(() => this.#database.exec(sql));
  }

  // biome-ignore lint/correctness/useYield: the interface requires it, and nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streaming is not supported: read pages");
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) {
      return known;
    }
    if (this.#prepared.size >= MOST_STATEMENTS) {
      this.#prepared.clear();
    }
    const statement = this.#database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  /**
   * Does work as soon as no other process holds the lock.
   *
   * @throws ServiceError STATE_UNAVAILABLE after ten seconds or if the file cannot be read or written, STORAGE_FULL if
   * the disk is full.
   */
  async #whenFree<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + MOST_WAITING_MS;
    for (let delayMs = 1; ; delayMs = Math.min(MOST_DELAY_MS, delayMs * 2)) {
      try {
        return work();
      } catch (error) {
        const fault = faultOf(error);
        if (fault === "full") {
          this.#onFull();
          throw storageFull(error);
        }
        if (fault === "storage") {
          throw unavailable(error);
        }
        if (fault !== "busy") {
          throw error;
        }
        if (performance.now() > deadline) {
          throw unavailable(error);
        }
      }
      // Random, so that waiting processes do not collide again and again.
      await sleep(1 + Math.random() * delayMs);
    }
  }
}

/** SQLite's result codes (https://sqlite.org/rescode.html) for faults that are not the query's. */
const faults: Readonly<Record<number, "busy" | "full" | "storage">> = {
  // Another process holds the lock.
  5: "busy",
  13: "full",
  // SQLITE_IOERR_SHMSIZE: the shared file state.sqlite-shm could not grow.
  4874: "full",
  // SQLITE_READONLY, _IOERR, _CORRUPT, _CANTOPEN and _NOTADB.
  8: "storage",
  10: "storage",
  11: "storage",
  14: "storage",
  26: "storage",
};

/** The kind of fault of the file or its disk. Undefined if the query is wrong. The higher bytes are details. */
function faultOf(error: unknown): "busy" | "full" | "storage" | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : (faults[errcode] ?? faults[errcode & 0xff]);
}

/**
 * Copies the state of a SQLite file at one moment, including the writes in its write-ahead log, while others write to
 * it.
 *
 * @throws StoreError if the file cannot be read, or the copy cannot be written.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  try {
    const source = new DatabaseSync(from, { readOnly: true });
    try {
      await backup(source, to);
    } finally {
      source.close();
    }
  } catch (error) {
    throw new StoreError(`The state in ${from} cannot be copied to ${to}: ${(error as Error).message}`);
  }
}
