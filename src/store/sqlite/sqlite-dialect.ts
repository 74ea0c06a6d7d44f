import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
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
