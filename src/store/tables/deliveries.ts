import type { Generated, Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Events on their way to webhooks. */
export interface DeliveriesTable {
  /** What receivers get as webhook-id. */
  id: string;
  webhook_id: string;
  event_type: string;
  /** JSON: the body, the same for every attempt. */
  payload: string;
  state: "pending" | "delivered" | "failed";
  /** How often it was tried. */
  attempts: Generated<number>;
  /** How often of these since the schedule last began. */
  tries: Generated<number>;
  /** When the first of these tries began. */
  tried_since: number | null;
  /** Null unless it is pending. */
  next_attempt_at: number | null;
  /** Names the attempt that is under way; whoever holds another name settles nothing. */
  claim: string | null;
  /** When an attempt that nobody settled counts as never made. */
  claimed_until: Generated<number>;
  created_at: number;
}

/** A delivery that waits for its first attempt. */
export type NewDelivery = Pick<
  DeliveriesTable,
  "id" | "webhook_id" | "event_type" | "payload" | "next_attempt_at" | "created_at"
>;

/** Databases bound the parameters of a statement: SQLite to 32,766. */
const ROWS_AT_ONCE = 1_000;

export async function insertDeliveries(db: Kysely<Database>, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let i = 0; i < deliveries.length; i += ROWS_AT_ONCE) {
    const rows = deliveries.slice(i, i + ROWS_AT_ONCE).map((delivery) => ({ ...delivery, state: "pending" as const }));
    await db.insertInto("deliveries").values(rows).execute();
  }
}
