import { chmod, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { type Dialect, Kysely, sql } from "kysely";
import { ServiceError } from "../error.ts";
import type { Database } from "./database.ts";
import { LocalSignals } from "./local-signals.ts";
import { relaxedSqlite } from "./sqlite/relaxed-sqlite.ts";
import { sqliteDialect } from "./sqlite/sqlite-dialect.ts";
import type { Store } from "./store.ts";
import { StoreError } from "./store-error.ts";

/** Where a store is. */
export interface StoreOptions {
  /** A PostgreSQL database, as postgres://… Default: SQLite in the home. */
  databaseUrl?: string;
  /** The folder of local state; made when it is not there. Unused with a database. */
  home: string;
}

/** The SQLite file in the home. */
export const STORE_FILE = "state.sqlite";
/** A replica asks for single rows; PostgreSQL by default takes 100 connections of all replicas together. */
const CONNECTIONS = 10;
/** A database that is well answers in milliseconds; what takes this long has lost its connection. */
const QUERY_TIMEOUT_MS = 10_000;

/**
 * Connects to the state, whatever its schema.
 *
 * @param isPatient whether queries may take as long as they like. Default: no.
 * @throws StoreError when that fails.
 */
export async function connectStore(
  { databaseUrl, home }: StoreOptions,
  { isPatient = false }: { isPatient?: boolean } = {},
): Promise<Store> {
  const place = databaseUrl === undefined ? join(home, STORE_FILE) : placeOf(databaseUrl);
  try {
    if (databaseUrl === undefined) {
      await makeFile(home, place);
      return await connected(sqliteDialect(place), (db) => ({
        dialect: "sqlite",
        place,
        relaxed: (work) => relaxedSqlite(db, work),
        signals: new LocalSignals(),
      }));
    }
    // Most start without it, and every start counts.
    const [{ postgresDialect }, { PostgresSignals }] = await Promise.all([
      import("./postgres/postgres-dialect.ts"),
      import("./postgres/postgres-signals.ts"),
    ]);
    const timeouts = isPatient ? {} : { queryTimeoutMs: QUERY_TIMEOUT_MS };
    return await connected(postgresDialect(databaseUrl, { connections: CONNECTIONS, ...timeouts }), (db) => ({
      dialect: "postgres",
      place,
      // A commit that does not wait for the disk is lost when the database is killed, and all replicas with it.
      relaxed: (work) => work(db),
      signals: new PostgresSignals(databaseUrl, (channel, topic) =>
        sql`select pg_notify(${channel}, ${topic})`.execute(db),
      ),
    }));
  } catch (error) {
    throw new StoreError(`The state in ${place} cannot be opened: ${reasonOf(error)}`, { cause: error });
  }
}

async function connected(
  dialect: Dialect,
  describe: (db: Kysely<Database>) => Omit<Store, "db" | "close">,
): Promise<Store> {
  const db = new Kysely<Database>({ dialect });
  try {
    // Kysely connects at the first query; a fault is to be told now.
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const described = describe(db);
  const close = async () => {
    await described.signals.close();
    await db.destroy();
  };
  return { db, close, ...described };
}

/** Makes folder and file such that only their owner can read them. SQLite's files beside it get the file's mode. */
async function makeFile(home: string, file: string): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  await (await open(file, "a", 0o600)).close();
  await chmod(file, 0o600);
}

/** A database's URL without user, password and parameters. */
function placeOf(databaseUrl: string): string {
  const { protocol, host, pathname } = new URL(databaseUrl);
  return `${protocol}//${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
}
