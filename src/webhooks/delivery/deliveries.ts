import type { Kysely } from "kysely";
import { orNotFound } from "../../error.ts";
import { byCreation, type Database, type Page, type PageRequest, readPage, type Store } from "../../store/index.ts";
import {
  type DeliveryFilter,
  type DeliveryRow,
  findDelivery,
  isWebhookDisabled,
  listAttempts,
  listDeliveries,
  restartDelivery,
} from "../../store/tables/index.ts";
import { webhookDisabled } from "../webhook.ts";
import type { AttemptOutcome, Delivery } from "./delivery.ts";

const MOST_ATTEMPTS = 20;

/** Reads deliveries from rows, each with its latest attempts. */
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

/** A delivery with what operators see of its receiver. */
export interface OwnedDelivery extends Delivery {
  /** The name of the webhook's owner. */
  owner: string;
  /** The webhook's URL. */
  url: string;
}

/** Deliveries, newest first. */
export async function readDeliveries(
  { db }: Pick<Store, "db">,
  page: PageRequest,
  filter: DeliveryFilter,
): Promise<Page<OwnedDelivery>> {
  const { items: rows, next } = await readPage(page, (request) => listDeliveries(db, request, filter), byCreation);
  const deliveries = await toDeliveries(db, rows);
  const items = deliveries.map((delivery, i) => {
    const { owner_name: owner, url } = rows[i] as (typeof rows)[number];
    return { ...delivery, owner, url };
  });
  return { items, next };
}

/**
 * Tries a delivery once more under the same id, whatever its state. If that fails, its retry schedule starts again.
 *
 * @param webhookId the webhook it must belong to; undefined for the operator.
 * @param now in milliseconds since 1970.
 * @throws ServiceError DELIVERY_NOT_FOUND, WEBHOOK_DISABLED
 */
export async function redeliver(
  { db, signals }: Pick<Store, "db" | "signals">,
  { id, webhookId, now }: { id: string; webhookId?: string; now: number },
): Promise<Delivery> {
  const known = orNotFound(await findDelivery(db, { id, webhookId }), "DELIVERY_NOT_FOUND", id);
  if (await isWebhookDisabled(db, known.webhook_id)) {
    throw webhookDisabled(known.webhook_id);
  }
  const row = orNotFound(await restartDelivery(db, id, now), "DELIVERY_NOT_FOUND", id);
  signals.send("deliveries");
  return (await toDeliveries(db, [row]))[0] as Delivery;
}
