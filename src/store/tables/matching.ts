import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** How far the changes of the inventory were matched with all interests whose owners have a key: a single row. */
export interface MatchingTable {
  name: string;
  /** A cursor of the change feed. */
  position: string;
}

const NAME = "inventory";

/** How far matching came; undefined before it ever began. */
export async function readPosition(db: Kysely<Database>): Promise<string | undefined> {
  const row = await db.selectFrom("matching").select("position").where("name", "=", NAME).executeTakeFirst();
  return row?.position;
}

/** Notes where matching begins, unless somebody did. */
export async function beginPosition(db: Kysely<Database>, position: string): Promise<void> {
  await db
    .insertInto("matching")
    .values({ name: NAME, position })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

/** Notes that matching came from one position to another. @returns whether it was where it was thought to be. */
export async function movePosition(db: Kysely<Database>, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("matching")
    .set({ position: to })
    .where("name", "=", NAME)
    .where("position", "=", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Owners whose interests are not matched now, for lack of a key, and how far they were. */
export interface MatchingPausesTable {
  owner_id: string;
  /** A cursor of the change feed. */
  position: string;
  paused_at: number;
}

export function readPauses(db: Kysely<Database>): Promise<MatchingPausesTable[]> {
  return db.selectFrom("matching_pauses").selectAll().execute();
}

/** Pauses owners; one that is paused already keeps its position. */
export async function insertPauses(db: Kysely<Database>, pauses: readonly MatchingPausesTable[]): Promise<void> {
  if (pauses.length === 0) {
    return;
  }
  await db
    .insertInto("matching_pauses")
    .values(pauses)
    .onConflict((conflict) => conflict.column("owner_id").doNothing())
    .execute();
}

/** Notes that owners came from one position to another. @returns whether all were where they were thought to be. */
export async function movePauses(
  db: Kysely<Database>,
  owners: readonly string[],
  from: string,
  to: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("matching_pauses")
    .set({ position: to })
    .where("owner_id", "in", owners)
    .where("position", "=", from)
    .executeTakeFirst();
  return numUpdatedRows === BigInt(owners.length);
}

/** Ends the pauses of owners. */
export async function deletePauses(db: Kysely<Database>, owners: readonly string[]): Promise<void> {
  if (owners.length === 0) {
    return;
  }
  await db.deleteFrom("matching_pauses").where("owner_id", "in", owners).execute();
}
