import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The position up to which changes were matched with the interests of all owners with a key: a single row. */
export interface MatchingTable {
  name: string;
  /** A cursor of the change feed. */
  position: string;
}

const NAME = "inventory";

/** The position of matching. Undefined before it first began. */
export async function readPosition(db: Kysely<Database>): Promise<string | undefined> {
  const row = await db.selectFrom("matching").select("position").where("name", "=", NAME).executeTakeFirst();
  return row?.position;
}

/** Records the first position, unless there is one. */
export async function beginPosition(db: Kysely<Database>, position: string): Promise<void> {
  await db
    .insertInto("matching")
    .values({ name: NAME, position })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

/** Advances matching from one position to another. @returns false if it is no longer at `from`. */
export async function movePosition(db: Kysely<Database>, from: string, to: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("matching")
    .set({ position: to })
    .where("name", "=", NAME)
    .where("position", "=", from)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Owners whose interests are paused for lack of a key, each with its position. */
export interface MatchingPausesTable {
  owner_id: string;
  /** A cursor of the change feed. */
  position: string;
  paused_at: number;
}

export function readPauses(db: Kysely<Database>): Promise<MatchingPausesTable[]> {
  return db.selectFrom("matching_pauses").selectAll().execute();
}

/** Pauses owners. An owner that is paused already keeps its position. */
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

/** Advances owners from one position to another. @returns false if one of them is no longer at `from`. */
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
