import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import { unavailable } from "../unavailable.ts";

/** Writers of other processes hold the lock for milliseconds; one that holds it this long has a fault. */
const MOST_WAITING_MS = 10_000;
const MOST_DELAY_MS = 20;
/** Queries are written in the code, and lists in them are short, so that this many are all there are. */
const MOST_STATEMENTS = 200;

interface Prepared {
  statement: StatementSync;
  hasRows: boolean;
}

/** A connection that waits for other processes without stopping its own. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#whenFree(() => {
      const { statement, hasRows } = this.#prepare(sql);
      const values = parameters as SQLInputValue[];
      if (hasRows) return { rows: statement.all(...values) as R[] };
      const { changes, lastInsertRowid } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    });
  }

  /** Runs a statement without values, such as a pragma. */
  async run(sql: string): Promise<void> {
    await this.#whenFree(() => this.#database.exec(sql));
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it, and nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Streaming is not supported: read pages");
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= MOST_STATEMENTS) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  /** Does work once no other process is in its way. @throws ServiceError STATE_UNAVAILABLE after ten seconds. */
  async #whenFree<T>(work: () => T): Promise<T> {
    const deadline = performance.now() + MOST_WAITING_MS;
    for (let delayMs = 1; ; delayMs = Math.min(MOST_DELAY_MS, delayMs * 2)) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (performance.now() > deadline) throw unavailable(error);
      }
      // By chance, so that processes that wait for each other do not meet again and again.
      await sleep(1 + Math.random() * delayMs);
    }
  }
}

/** SQLite's result code for a lock that another process holds; what is above the lowest byte tells more of it. */
const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  const { errcode } = error as { errcode?: number };
  return errcode !== undefined && (errcode & 0xff) === SQLITE_BUSY;
}
