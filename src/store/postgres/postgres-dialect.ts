import { type Dialect, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import pg from "pg";
import { PostgresDriver } from "./postgres-driver.ts";

/** Longer than a busy database needs, shorter than callers wait. */
const CONNECT_TIMEOUT_MS = 5_000;
/** PostgreSQL's type of 64-bit integers, which pg reads as text by default. */
const INT8 = 20;

/** How a database is used. */
export interface PostgresOptions {
  /** Connections at most. */
  connections: number;
  /** When a query that is not answered is given up, in milliseconds. */
  queryTimeoutMs?: number;
  /** Called when a write found no room. */
  onFull?: () => void;
}

/** Kysely's PostgreSQL, with numbers for 64-bit integers: times and counts stay below 2^53. */
export function postgresDialect(url: string, { connections, queryTimeoutMs, onFull }: PostgresOptions): Dialect {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (id: number, format?: "text" | "binary") =>
      id === INT8 && format !== "binary" ? Number : pg.types.getTypeParser(id, format as "text"),
  };
  const pool = new pg.Pool({
    connectionString: url,
    application_name: "modelscout",
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    types,
  });
  // A broken connection fails its query, and the pool replaces it. It also tells an error of its own, through the pool
  // when nobody uses it, which would end the process if nobody listened.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver({ pool }, onFull),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
