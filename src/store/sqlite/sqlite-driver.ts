import { DatabaseSync } from "node:sqlite";
import type { DatabaseConnection, Driver } from "kysely";
import { SqliteConnection } from "./sqlite-connection.ts";

/**
 * One connection to a SQLite file. Kysely lets one query or transaction at a time use it, because its SQLite adapter
 * says that there is no more than one.
 */
export class SqliteDriver implements Driver {
  readonly #file: string;
  readonly #onFull: (() => void) | undefined;
  #database: DatabaseSync | undefined;
  #connection: SqliteConnection | undefined;

  constructor(file: string, onFull?: () => void) {
    this.#file = file;
    this.#onFull = onFull;
  }

  async init(): Promise<void> {
    // Waiting for other processes is the connection's: SQLite's own waiting would stop the whole process.
    const database = new DatabaseSync(this.#file, { timeout: 0 });
    const connection = new SqliteConnection(database, this.#onFull);
    try {
      // Readers and one writer do not wait for each other, and a commit is one write.
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
    // A transaction that reads first and writes later could not go on when another one wrote in between.
    await this.#open().run("begin immediate");
  }

  async commitTransaction(): Promise<void> {
    await this.#open().run("commit");
  }

  async rollbackTransaction(): Promise<void> {
    // SQLite ends a transaction by itself on some faults, such as a full disk.
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
