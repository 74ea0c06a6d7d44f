import type { Generated, Kysely } from "kysely";
import type { Database } from "../database.ts";

/** How the last sync of each source went. */
export interface SyncsTable {
  source: string;
  /** The scheduled time that a replica took last; 0 for none. */
  taken_at: Generated<number>;
  ended_at: number | null;
  /** When one last ended as it should. */
  succeeded_at: number | null;
  /** JSON of the last one's report. */
  report: string | null;
}

/** The last sync of a source. */
export interface SyncRow {
  source: string;
  endedAt: number;
  succeededAt: number | undefined;
  report: string;
}

/**
 * Takes a scheduled sync, which one of all replicas may do.
 *
 * @param at the scheduled time, in milliseconds since 1970.
 * @returns whether it is the caller's.
 */
export async function takeSync(db: Kysely<Database>, source: string, at: number): Promise<boolean> {
  const taken = await db
    .insertInto("syncs")
    .values({ source, taken_at: at })
    .onConflict((conflict) => conflict.column("source").doUpdateSet({ taken_at: at }).where("syncs.taken_at", "<", at))
    .returning("source")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Keeps the report of a source's sync, in place of the one before. */
export async function saveSync(
  db: Kysely<Database>,
  { source, endedAt, report, succeeded }: Pick<SyncRow, "source" | "endedAt" | "report"> & { succeeded: boolean },
): Promise<void> {
  const ended = { ended_at: endedAt, report, ...(succeeded ? { succeeded_at: endedAt } : {}) };
  await db
    .insertInto("syncs")
    .values({ source, ...ended })
    .onConflict((conflict) => conflict.column("source").doUpdateSet(ended))
    .execute();
}

/** The last sync of every source that had one, by name. */
export async function readSyncs(db: Kysely<Database>): Promise<SyncRow[]> {
  const rows = await db.selectFrom("syncs").selectAll().where("report", "is not", null).orderBy("source").execute();
  return rows.map((row) => ({
    source: row.source,
    endedAt: row.ended_at as number,
    succeededAt: row.succeeded_at ?? undefined,
    report: row.report as string,
  }));
}
