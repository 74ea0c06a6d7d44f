import type { Generated, Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The last sync of each source. */
export interface SyncsTable {
  source: string;
  /** The last scheduled time that a replica claimed; 0 for none. */
  taken_at: Generated<number>;
  ended_at: number | null;
  /** When a sync last succeeded. */
  succeeded_at: number | null;
  /** JSON: the last report. */
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
 * Claims a scheduled sync, so that only one replica runs it.
 *
 * @param at the scheduled time, in milliseconds since 1970.
 * @returns whether the caller has the claim.
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

/** Stores the report of a source's sync in place of the last one. */
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
