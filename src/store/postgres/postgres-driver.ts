import { type DatabaseConnection, PostgresDriver as KyselyDriver, type PostgresDialectConfig } from "kysely";
import pg from "pg";
import { storageFull, unavailable } from "../unavailable.ts";

/** Kysely's driver, which tells a database that cannot be reached from queries that are wrong. */
export class PostgresDriver extends KyselyDriver {
  readonly #wrapped = new WeakSet<DatabaseConnection>();
  readonly #onFull: () => void;

  /** @param onFull called when a write found no room. */
  constructor(config: PostgresDialectConfig, onFull: () => void = () => {}) {
    super(config);
    this.#onFull = onFull;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await this.#told(super.acquireConnection());
    if (!this.#wrapped.has(connection)) {
      const execute = connection.executeQuery.bind(connection) as DatabaseConnection["executeQuery"];
      connection.executeQuery = (query, options) => this.#told(execute(query, options));
      this.#wrapped.add(connection);
    }
    return connection;
  }

  async #told<T>(work: Promise<T>): Promise<T> {
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

/** SQLSTATE of a disk without room. */
const DISK_FULL = "53100";

/**
 * Classes and codes of SQLSTATE that pass by themselves: connection lost, transaction rolled back by a conflict, no
 * resources left, ended by an operator or a crash, and read-only as the standby is after a failover.
 */
const PASSING = ["08", "40", "53", "57", "25006"];

/** Whether an error is of the connection, not of the query. */
function isOutage(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return PASSING.some((start) => error.code?.startsWith(start));
  // What pg tells without a SQLSTATE is of the network; a TypeError is a fault of ours.
  return error instanceof Error && !(error instanceof TypeError);
}
