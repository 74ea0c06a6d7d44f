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
