import { notFound } from "../error.ts";
import type { Store } from "../store/store.ts";
import { findDelivery, restartDelivery } from "../store/tables/deliveries.ts";
import { isWebhookDisabled } from "../store/tables/webhooks.ts";
import type { Delivery } from "./delivery.ts";
import { toDeliveries } from "./to-deliveries.ts";
import { webhookDisabled } from "./webhook-disabled.ts";

/**
 * Has a delivery tried once more under the same id, whatever became of it. Where it fails, the schedule begins anew.
 *
 * @param webhookId the webhook it must be of; undefined for the operator.
 * @param now in milliseconds since 1970.
 * @throws ServiceError DELIVERY_NOT_FOUND, WEBHOOK_DISABLED
 */
export async function redeliver(
  { db, signals }: Pick<Store, "db" | "signals">,
  { id, webhookId, now }: { id: string; webhookId?: string; now: number },
): Promise<Delivery> {
  const known = await findDelivery(db, { id, webhookId });
  if (known === undefined) throw notFound("DELIVERY_NOT_FOUND", id, []);
  if (await isWebhookDisabled(db, known.webhook_id)) throw webhookDisabled(known.webhook_id);
  const row = await restartDelivery(db, id, now);
  if (row === undefined) throw notFound("DELIVERY_NOT_FOUND", id, []);
  signals.tell("deliveries");
  return (await toDeliveries(db, [row]))[0] as Delivery;
}
