import { type Dialect, type Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from "kysely";
import { SqliteDriver } from "./sqlite-driver.ts";

/**
 * Kysely's SQLite, on Node's own.
 *
 * @param file is made when it is not there.
 * @param onFull called when a write found no room.
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
 * Runs queries whose commits do not wait for the disk. In WAL mode the file stays whole whatever happens, and what the
 * operating system has taken over outlives the process.
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
