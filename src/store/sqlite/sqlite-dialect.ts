import { DatabaseSync } from "node:sqlite";
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { RunQueries } from "../store.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/**
 * Kysely's SQLite dialect, on Node's own SQLite.
 *
 * @param file created if missing.
 * @param onFull called when a write fails because the disk is full.
 */
export function sqliteDialect(file: string, onFull?: () => void): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(file, onFull),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/**
 * Returns a function that runs queries whose commits do not wait for the disk. In WAL mode the file stays consistent in
 * any case, and data that the operating system has accepted outlives the process.
 */
export function relaxedSqlite<DB>(db: Kysely<DB>): RunQueries<DB> {
  return (work, ...args) =>
    db.connection().execute(async (connection) => {
      await normal.execute(connection);
      try {
        return await work(connection, ...args);
      } finally {
        await full.execute(connection);
      }
    });
}

const normal = sql`pragma synchronous = normal`;
const full = sql`pragma synchronous = full`;

/**
 * One connection to a SQLite file. Kysely runs one query or transaction at a time on it, because its SQLite adapter
 * allows a single connection.
 */
class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #onFull: (() => void) | undefined;
  #database: DatabaseSync | undefined;
  #connection: SqliteConnection | undefined;

  constructor(file: string, onFull?: () => void) {
    this.#file = file;
    this.#onFull = onFull;
  }

  async init(): Promise<void> {
    // SqliteConnection waits for other processes; SQLite's own waiting would block this process.
    const database = new DatabaseSync(this.#file, { timeout: 0 });
    const connection = new SqliteConnection(database, this.#onFull);
    try {
      // In WAL mode readers and the writer do not wait for each other, and a commit is one write.
      await connection.run("pragma journal_mode = wal");
      await connection.run("pragma synchronous = full");
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    this.#connection = connection;
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#open();
  }

  async beginTransaction(): Promise<void> {
    // IMMEDIATE, because a transaction that first reads fails to write if another one wrote in between.
    await this.#open().run("begin immediate");
  }

  async commitTransaction(): Promise<void> {
    await this.#open().run("commit");
  }

  async rollbackTransaction(): Promise<void> {
    // SQLite ends a transaction by itself after some faults, such as a full disk.
    if (this.#database?.isTransaction) {
      await this.#open().run("rollback");
    }
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#database?.close();
  }

  #open(): SqliteConnection {
    if (this.#connection === undefined) {
      throw new Error("The SQLite driver is not initialised");
    }
    return this.#connection;
  }
}
