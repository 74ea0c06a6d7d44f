import type { Kysely } from "kysely";
import type { Database } from "../store/database.ts";
import type { DeliveryRow } from "../store/tables/deliveries.ts";
import { listAttempts } from "../store/tables/delivery-attempts.ts";
import type { AttemptOutcome } from "./attempt-outcome.ts";
import type { Delivery } from "./delivery.ts";

const MOST_ATTEMPTS = 20;

/** Rows as deliveries, each with its latest attempts. */
export async function toDeliveries(db: Kysely<Database>, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  const ids = rows.map(({ id }) => id);
  const attempts = Map.groupBy(await listAttempts(db, ids, MOST_ATTEMPTS), (attempt) => attempt.delivery_id);
  return rows.map((row) => ({
    id: row.id,
    webhookId: row.webhook_id,
    eventType: row.event_type,
    state: row.state,
    attempts: (attempts.get(row.id) ?? []).map((attempt) => ({
      at: attempt.at,
      outcome: attempt.outcome as AttemptOutcome,
      statusCode: attempt.status_code ?? undefined,
      error: attempt.error ?? undefined,
      durationMs: attempt.duration_ms,
    })),
    attemptCount: row.attempts,
    nextAttemptAt: row.next_attempt_at ?? undefined,
    createdAt: row.created_at,
  }));
}
