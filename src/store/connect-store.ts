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

/** More than a page of either database, so that the file must grow. */
const PROBE_BYTES = 16_384;

/** Tracks whether the disk has room for writes. */
export class DiskSpace {
  readonly #isSuspect: () => Promise<boolean>;
  #isFull = false;

  /** @param isSuspect whether room may be short although no write has failed yet. Default: no. */
  constructor(isSuspect: () => Promise<boolean> = async () => false) {
    this.#isSuspect = isSuspect;
  }

  /** Records that a write failed for lack of room. */
  readonly markFull = (): void => {
    this.#isFull = true;
  };

  /** Whether writes succeed. Makes a test write only if room is in doubt. Never fails. */
  async canWrite(db: Kysely<Database>): Promise<boolean> {
    if (!this.#isFull && !(await this.#isSuspect().catch(() => false))) {
      return true;
    }
    try {
      // Random, because PostgreSQL would compress anything else.
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
  /** The folder of local state, created if missing. Unused with a database. */
  home: string;
}

/** The SQLite file in the home. */
export const STORE_FILE = "state.sqlite";
/** Enough for a replica's short queries. PostgreSQL's default is 100 connections for all replicas together. */
const CONNECTIONS = 10;
/** A healthy database answers in milliseconds. A query that takes this long has lost its connection. */
const QUERY_TIMEOUT_MS = 10_000;

/**
 * Connects to the state without checking its schema.
 *
 * @param isPatient whether queries have no time limit. Default: no.
 * @throws StoreError when the connection fails.
 */
export async function connectStore(
  { databaseUrl, home }: StoreOptions,
  { isPatient = false }: { isPatient?: boolean } = {},
): Promise<Store> {
  const place = databaseUrl === undefined ? join(home, STORE_FILE) : placeOf(databaseUrl);
  try {
    if (databaseUrl === undefined) {
      await makeFile(home, place);
      const disk = new DiskSpace(() => hasLittleRoom(home));
      return await connected(sqliteDialect(place, disk.markFull), (db) => ({
        dialect: "sqlite",
        place,
        canWrite: () => disk.canWrite(db),
        relaxed: relaxedSqlite(db),
        signals: new LocalSignals(),
      }));
    }
    // Loaded only when needed, so that a start with SQLite stays fast.
    const [{ postgresDialect }, { PostgresSignals }] = await Promise.all([
      import("./postgres/postgres-dialect.ts"),
      import("./postgres/postgres-signals.ts"),
    ]);
    const timeouts = isPatient ? {} : { queryTimeoutMs: QUERY_TIMEOUT_MS };
    const disk = new DiskSpace();
    const options = { connections: CONNECTIONS, onFull: disk.markFull, ...timeouts };
    return await connected(postgresDialect(databaseUrl, options), (db) => ({
      dialect: "postgres",
      place,
      canWrite: () => disk.canWrite(db),
      // Commits wait for the disk: without that, a crash of the database loses them for all replicas.
      relaxed: (work, ...args) => work(db, ...args),
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
    // Kysely connects at the first query, so this one reports a fault early.
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

/** Creates the folder and file, readable by their owner only. SQLite's other files get the same mode. */
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

/** Free bytes below which a test write checks the disk, before a caller's write fails. */
const LITTLE_ROOM = 1_000_000;

async function hasLittleRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < LITTLE_ROOM;
}

/** The innermost error: of the database or the operating system. */
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

/** Remedies for a state that cannot be opened, by result code of SQLite or error code of the system. */
const remedies: Readonly<Record<string | number, string>> = {
  8: "The user that runs modelscout must be able to write the file and its folder",
  11: "Put a backup of the file in its place; without one, move the file away and start once with modelscout serve --accept-loss, which loses keys, quotas, interests, webhooks and batches",
  13: "Make room on the disk",
  14: "The user that runs modelscout must be able to write the file and its folder",
  ENOSPC: "Make room on the disk",
  EACCES: "The user that runs modelscout must be able to write the file and its folder",
  EROFS: "The folder is on a disk that is mounted read-only; set MODELSCOUT_HOME to another folder",
  ECONNREFUSED: "Check that the database is running there, or set MODELSCOUT_DATABASE_URL to another one",
  ENOTFOUND: "Check the host in MODELSCOUT_DATABASE_URL",
  // SQLSTATE of a wrong password, an unknown user and an unknown database.
  "28P01": "Check the user and password in MODELSCOUT_DATABASE_URL",
  "28000": "Check the user and password in MODELSCOUT_DATABASE_URL",
  "3D000": "Create the database, or set MODELSCOUT_DATABASE_URL to another one",
};
const damaged = remedies[11] as string;

function remedyOf(error: unknown): string {
  const { errcode, code } = (causeOf(error) ?? {}) as { errcode?: number; code?: string };
  // SQLITE_NOTADB: the file does not begin as a SQLite file does.
  const remedy = errcode === 26 ? damaged : (remedies[(errcode ?? Number.NaN) & 0xff] ?? remedies[code ?? ""]);
  return remedy === undefined ? "" : `. ${remedy}`;
}
