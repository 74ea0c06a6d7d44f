import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { SqliteDriver } from "./sqlite-driver.ts";

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
 * Runs queries whose commits do not wait for the disk. In WAL mode the file stays consistent in any case, and data that
 * the operating system has accepted outlives the process.
 */
export function relaxedSqlite<DB, T>(db: Kysely<DB>, work: (db: Kysely<DB>) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await normal.execute(connection);
    try {
      return await work(connection);
    } finally {
      await full.execute(connection);
    }
  });
}

const normal = sql`pragma synchronous = normal`;
const full = sql`pragma synchronous = full`;
