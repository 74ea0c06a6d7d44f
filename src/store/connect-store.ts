import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, statfs } from "node:fs/promises";
import { join } from "node:path";
import { type Dialect, Kysely, sql } from "kysely";
import { ServiceError } from "../error.ts";
import type { Database } from "./database.ts";
import { StoreError } from "./errors.ts";
import { LocalSignals } from "./signals.ts";
import { relaxedSqlite, sqliteDialect } from "./sqlite/sqlite-dialect.ts";
import type { Store } from "./store.ts";
import { putSetting } from "./tables/settings.ts";

/** More than a page of either database, so that the file has to grow. */
const PROBE_BYTES = 16_384;

/** Whether there is room to write, as far as that is known. */
export class Room {
  readonly #isSuspect: () => Promise<boolean>;
  #isFull = false;

  /** @param isSuspect whether there may be no room although no write has failed yet. Default: no. */
  constructor(isSuspect: () => Promise<boolean> = async () => false) {
    this.#isSuspect = isSuspect;
  }

  /** Notes that a write found no room. */
  readonly noteFull = (): void => {
    this.#isFull = true;
  };

  /** Whether writes are kept. Writes something where that is doubtful, and nothing where all is well. Never fails. */
  async canWrite(db: Kysely<Database>): Promise<boolean> {
    if (!this.#isFull && !(await this.#isSuspect().catch(() => false))) {
      return true;
    }
    try {
      // What cannot be compressed, as PostgreSQL would.
      await putSetting(db, "probe of free room", randomBytes(PROBE_BYTES / 2).toString("hex"));
      this.#isFull = false;
      return true;
    } catch {
      return false;
    }
  }
}

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
      const room = new Room(() => hasLittleRoom(home));
      return await connected(sqliteDialect(place, room.noteFull), (db) => ({
        dialect: "sqlite",
        place,
        canWrite: () => room.canWrite(db),
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
    const room = new Room();
    const options = { connections: CONNECTIONS, onFull: room.noteFull, ...timeouts };
    return await connected(postgresDialect(databaseUrl, options), (db) => ({
      dialect: "postgres",
      place,
      canWrite: () => room.canWrite(db),
      // A commit that does not wait for the disk is lost when the database is killed, and all replicas with it.
      relaxed: (work) => work(db),
      signals: new PostgresSignals(databaseUrl, (channel, topic) =>
        sql`select pg_notify(${channel}, ${topic})`.execute(db),
      ),
    }));
  } catch (error) {
    throw new StoreError(`The state in ${place} cannot be opened: ${reasonOf(error)}${remedyOf(error)}`, {
      cause: error,
    });
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

/** Below so many free bytes it is looked whether the state can still be written before a write of a caller fails. */
const LITTLE_ROOM = 1_000_000;

async function hasLittleRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < LITTLE_ROOM;
}

/** What the database or the operating system said first. */
function causeOf(error: unknown): unknown {
  if (error instanceof ServiceError && error.cause !== undefined) {
    return causeOf(error.cause);
  }
  return error instanceof AggregateError && error.errors.length > 0 ? causeOf(error.errors[0]) : error;
}

function reasonOf(error: unknown): string {
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/** What to do about a state that cannot be opened, by SQLite's result codes and by what the operating system says. */
const remedies: Readonly<Record<string | number, string>> = {
  8: "The user that runs modelscout must be able to write the file and its folder",
  11: "Put a backup of the file in its place; without one, move the file away and start once with modelscout serve --accept-loss: keys, quotas, interests, webhooks and batches are lost then",
  13: "Make room on the disk",
  14: "The user that runs modelscout must be able to write the file and its folder",
  ENOSPC: "Make room on the disk",
  EACCES: "The user that runs modelscout must be able to write the file and its folder",
  EROFS: "The folder is on a disk that is mounted read-only; name another with MODELSCOUT_HOME",
  ECONNREFUSED: "Look whether the database runs there, or name another with MODELSCOUT_DATABASE_URL",
  ENOTFOUND: "Look whether MODELSCOUT_DATABASE_URL names the right host",
  // SQLSTATE of a wrong password, of an unknown user and of an unknown database.
  "28P01": "Look whether MODELSCOUT_DATABASE_URL has the right user and password",
  "28000": "Look whether MODELSCOUT_DATABASE_URL has the right user and password",
  "3D000": "Make the database, or name another with MODELSCOUT_DATABASE_URL",
};
const damaged = remedies[11] as string;

function remedyOf(error: unknown): string {
  const { errcode, code } = (causeOf(error) ?? {}) as { errcode?: number; code?: string };
  // SQLITE_NOTADB: the beginning of the file is not SQLite's.
  const remedy = errcode === 26 ? damaged : (remedies[(errcode ?? Number.NaN) & 0xff] ?? remedies[code ?? ""]);
  return remedy === undefined ? "" : `. ${remedy}`;
}
