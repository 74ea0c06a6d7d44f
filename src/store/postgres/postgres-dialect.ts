import {
  type DatabaseConnection,
  type Dialect,
  PostgresDriver as KyselyDriver,
  PostgresAdapter,
  type PostgresDialectConfig,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from "kysely";
import pg from "pg";
import { storageFull, unavailable } from "../errors.ts";

/** Kysely's driver, which distinguishes an unreachable database from a wrong query. */
export class PostgresDriver extends KyselyDriver {
  readonly #wrapped = new WeakSet<DatabaseConnection>();
  readonly #onFull: () => void;

  /** @param onFull called when a write fails because the disk is full. */
  constructor(config: PostgresDialectConfig, onFull: () => void = () => {}) {
    super(config);
    this.#onFull = onFull;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await this.#translated(super.acquireConnection());
    if (!this.#wrapped.has(connection)) {
      const execute = connection.executeQuery.bind(connection) as DatabaseConnection["executeQuery"];
      connection.executeQuery = (query, options) => this.#translated(execute(query, options));
      this.#wrapped.add(connection);
    }
    return connection;
  }

  async #translated<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === DISK_FULL) {
        this.#onFull();
        throw storageFull(error);
      }
      throw isOutage(error) ? unavailable(error) : error;
    }
  }
}

/** SQLSTATE of a full disk. */
const DISK_FULL = "53100";

/**
 * Classes and codes of SQLSTATE for passing faults: connection lost, transaction rolled back by a conflict, out of
 * resources, ended by an operator or a crash, and read-only, as a standby is after a failover.
 */
const PASSING = ["08", "40", "53", "57", "25006"];

/** Whether an error is the connection's rather than the query's. */
function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) {
    return PASSING.some((start) => error.code?.startsWith(start));
  }
  // An error of pg without a SQLSTATE is the network's. A TypeError is a bug of ours.
  return error instanceof Error && !(error instanceof TypeError);
}

/** Longer than a busy database needs, and shorter than callers wait. */
const CONNECT_TIMEOUT_MS = 5_000;
/** PostgreSQL's type of 64-bit integers, which pg reads as text by default. */
const INT8 = 20;

/** How a database is used. */
export interface PostgresOptions {
  /** Most connections. */
  connections: number;
  /** Milliseconds after which an unanswered query fails. */
  queryTimeoutMs?: number;
  /** Called when a write fails because the disk is full. */
  onFull?: () => void;
}

/** Kysely's PostgreSQL dialect, with 64-bit integers as numbers: times and counts stay below 2^53. */
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
  // A broken connection fails its query, and the pool replaces it. It also emits an "error" event, or the pool does so
  // for an idle connection. Without a listener, the event would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new PostgresDriver({ pool }, onFull),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}
