import { type Kysely, sql } from "kysely";
import { connectStore, type StoreOptions } from "./connect-store.ts";
import { StoreError } from "./errors.ts";
import { migrations as allMigrations } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";
import type { Store } from "./store.ts";

/** The result of a migration. Schemas are numbered from 1; 0 is an empty store. */
export interface MigrationReport {
  from: number;
  to: number;
  /** Names of the applied migrations, in order. */
  applied: string[];
}

/** An arbitrary number for PostgreSQL's advisory lock. */
const LOCK = 6_041_732_985;

/**
 * Migrates a store to the newest schema, all steps or none. If several processes try at once, one does it and the
 * others find it done.
 *
 * @param migrations default: all.
 * @throws StoreError when the store has a newer schema than this program knows.
 */
export async function applyMigrations(
  { db, dialect, place }: Store,
  migrations: readonly Migration[] = allMigrations,
): Promise<MigrationReport> {
  return (db as unknown as Kysely<History>).transaction().execute(async (transaction) => {
    if (dialect === "postgres") {
      await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction);
    }
    await transaction.schema
      .createTable("modelscout_migrations")
      .ifNotExists()
      .addColumn("number", "bigint", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("applied_at", "bigint", (column) => column.notNull())
      .execute();
    const history = await transaction.selectFrom("modelscout_migrations").select("number").execute();
    const from = Math.max(0, ...history.map(({ number }) => number));
    if (from > migrations.length) {
      throw newerSchema(place, from, migrations.length);
    }
    const due = migrations.slice(from);
    for (const [i, { name, up }] of due.entries()) {
      await up(transaction as unknown as Kysely<unknown>);
      const row = { number: from + i + 1, name, applied_at: Date.now() };
      await transaction.insertInto("modelscout_migrations").values(row).execute();
    }
    return { from, to: migrations.length, applied: due.map(({ name }) => name) };
  });
}

/** The table of applied migrations. */
interface History {
  modelscout_migrations: { number: number; name: string; applied_at: number };
}

function newerSchema(place: string, found: number, known: number): StoreError {
  return new StoreError(
    `The state in ${place} has schema ${found}, and this version of modelscout knows schemas up to ${known}: a newer version wrote it. Run that version, or set MODELSCOUT_HOME or MODELSCOUT_DATABASE_URL to another place`,
  );
}

/**
 * Migrates the state to the newest schema, and creates it if there is none.
 *
 * @returns where the state is, and what was done.
 * @throws StoreError when it cannot be opened, or has a newer schema than this program knows.
 */
export async function migrateStore(options: StoreOptions): Promise<MigrationReport & { place: string }> {
  // On a separate connection without a time limit, since a large table takes long.
  const store = await connectStore(options, { isPatient: true });
  try {
    return { place: store.place, ...(await applyMigrations(store)) };
  } finally {
    await store.close();
  }
}

/**
 * Opens the state and migrates it to the newest schema. Processes may share it.
 *
 * @throws StoreError when it cannot be opened, or has a newer schema than this program knows.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  await migrateStore(options);
  return connectStore(options);
}
