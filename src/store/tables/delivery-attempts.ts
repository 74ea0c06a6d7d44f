import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";

/** What was tried to deliver events. Rows are added and never changed. */
export interface DeliveryAttemptsTable {
  id: string;
  delivery_id: string;
  at: number;
  outcome: string;
  /** Of the answer, where there was one. */
  status_code: number | null;
  /** What went wrong, in words. */
  error: string | null;
  duration_ms: number;
}

export async function insertAttempt(db: Kysely<Database>, attempt: DeliveryAttemptsTable): Promise<void> {
  await db.insertInto("delivery_attempts").values(attempt).execute();
}

/** The attempts of some deliveries, the latest first, and no more than so many of each. */
export async function listAttempts(
  db: Kysely<Database>,
  deliveryIds: readonly string[],
  mostOfEach: number,
): Promise<DeliveryAttemptsTable[]> {
  if (deliveryIds.length === 0) return [];
  return db
    .selectFrom((is) =>
      is
        .selectFrom("delivery_attempts")
        .selectAll()
        .select((of) =>
          of.fn
            .agg<number>("row_number")
            .over((over) => over.partitionBy("delivery_id").orderBy("at", "desc").orderBy("id", "desc"))
            .as("place"),
        )
        .where("delivery_id", "in", deliveryIds)
        .as("ranked"),
    )
    .select(["id", "delivery_id", "at", "outcome", "status_code", "error", "duration_ms"])
    .where("place", "<=", sql.lit(mostOfEach))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .execute();
}
