import { type DatabaseConnection, PostgresDriver as KyselyDriver } from "kysely";
import pg from "pg";
import { unavailable } from "../unavailable.ts";

/** Kysely's driver, which tells a database that cannot be reached from queries that are wrong. */
export class PostgresDriver extends KyselyDriver {
  readonly #wrapped = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await told(super.acquireConnection());
    if (!this.#wrapped.has(connection)) {
      const execute = connection.executeQuery.bind(connection) as DatabaseConnection["executeQuery"];
      connection.executeQuery = (query, options) => told(execute(query, options));
      this.#wrapped.add(connection);
    }
    return connection;
  }
}

async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isOutage(error) ? unavailable(error) : error;
  }
}

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
