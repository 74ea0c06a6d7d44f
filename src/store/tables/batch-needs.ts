import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** The needs of batches, some in a row. Those of a batch that has ended are of no use any more. */
export interface BatchNeedsTable {
  batch_id: string;
  /** The place of the first of them in its batch, from 0 on. */
  first_place: number;
  /** JSON: a list of needs. */
  needs: string;
}

export async function insertNeeds(db: Kysely<Database>, row: BatchNeedsTable): Promise<void> {
  await db.insertInto("batch_needs").values(row).execute();
}

/** The row that has the need at a place; undefined when there is none. */
export function findNeeds(db: Kysely<Database>, batchId: string, place: number): Promise<BatchNeedsTable | undefined> {
  return db
    .selectFrom("batch_needs")
    .selectAll()
    .where("batch_id", "=", batchId)
    .where("first_place", "<=", place)
    .orderBy("first_place", "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function deleteNeeds(db: Kysely<Database>, batchId: string): Promise<void> {
  await db.deleteFrom("batch_needs").where("batch_id", "=", batchId).execute();
}

/**
 * Forgets needs of batches that have ended, and of those that were never made, some rows at a time.
 *
 * @param madeBefore batches whose ids sort before this one and that are not there were never made.
 * @returns whether there may be more.
 */
export async function pruneNeeds(db: Kysely<Database>, madeBefore: string, rows: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("batch_needs")
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("batch_id", "first_place"),
        "in",
        selectFrom("batch_needs as needs")
          .leftJoin("batches", "batches.id", "needs.batch_id")
          .select(["needs.batch_id", "needs.first_place"])
          .where((is) =>
            is.or([
              is("batches.ended_at", "is not", null),
              is.and([is("batches.id", "is", null), is("needs.batch_id", "<", madeBefore)]),
            ]),
          )
          .limit(rows)
          .$asTuple("batch_id", "first_place"),
      ),
    )
    .executeTakeFirst();
  return numDeletedRows >= BigInt(rows);
}
