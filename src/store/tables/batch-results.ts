import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Answers to the needs of batches. Rows are added in the order of their places and never changed. */
export interface BatchResultsTable {
  batch_id: string;
  /** The need's place in its batch, from 0 on. */
  place: number;
  /** What came of it, in a form of its writer's. */
  answer: string;
}

export async function insertResults(db: Kysely<Database>, rows: BatchResultsTable[]): Promise<void> {
  await db.insertInto("batch_results").values(rows).execute();
}

/** Answers in the order of the needs, from a place on. */
export function listResults(
  db: Kysely<Database>,
  batchId: string,
  fromPlace: number,
  size: number,
): Promise<BatchResultsTable[]> {
  return db
    .selectFrom("batch_results")
    .selectAll()
    .where("batch_id", "=", batchId)
    .where("place", ">=", fromPlace)
    .orderBy("place")
    .limit(size)
    .execute();
}

/** Forgets answers of a batch, some at a time. @returns whether there may be more. */
export async function deleteResults(db: Kysely<Database>, batchId: string, rows: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("batch_results")
    .where("batch_id", "=", batchId)
    .where("place", "in", ({ selectFrom }) =>
      selectFrom("batch_results").select("place").where("batch_id", "=", batchId).orderBy("place").limit(rows),
    )
    .executeTakeFirst();
  return numDeletedRows >= BigInt(rows);
}
