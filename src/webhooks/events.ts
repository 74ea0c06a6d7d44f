import type { Kysely } from "kysely";
import { type Database, newId } from "../store/index.ts";
import { insertDeliveries, listEnabledWebhooks, type NewDelivery } from "../store/tables/index.ts";

/** The events that webhooks may ask for. */
export const eventTypes = ["model.matched", "batch.completed"] as const;

/** Something that happened, for the webhooks of an owner. */
export interface WebhookEvent {
  /** Whose webhooks get it. */
  ownerId: string;
  type: (typeof eventTypes)[number];
  /** The interest it is about; webhooks may ask for those of some interests only. Absent for what concerns none. */
  interestId?: string;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  /** What receivers get as `data`, in snake_case. */
  data: Readonly<Record<string, unknown>>;
}

/** The body that receivers get, as the Standard Webhooks specification forms it. @param at milliseconds since 1970. */
export function eventBody({ type, at, data }: { type: string; at: number; data: object }): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

/**
 * Records events for the enabled webhooks that take them. What is recorded is delivered at least once; a webhook that is
 * disabled now misses the event for good.
 *
 * @param db usually the transaction that the events happen in, so that neither is lost without the other. Once it is
 * committed, `store.signals.send("deliveries")` has them delivered at once.
 */
export async function recordEvents(db: Kysely<Database>, events: readonly WebhookEvent[]): Promise<void> {
  if (events.length === 0) {
    return;
  }
  const owners = [...new Set(events.map(({ ownerId }) => ownerId))];
  const webhooks = Map.groupBy(await enabledWebhooks(db, owners), ({ ownerId }) => ownerId);
  const deliveries = events.flatMap((event) =>
    (webhooks.get(event.ownerId) ?? [])
      .filter((webhook) => takes(webhook, event))
      .map(({ id }): NewDelivery => {
        const { type, at } = event;
        return {
          id: newId("msg", at),
          webhook_id: id,
          event_type: type,
          payload: eventBody(event),
          created_at: at,
        };
      }),
  );
  await insertDeliveries(db, deliveries);
}

interface Subscription {
  id: string;
  ownerId: string;
  eventTypes: readonly string[];
  interestIds: readonly string[];
}

/** A matcher's transaction concerns many owners at once. */
const OWNERS_AT_ONCE = 1_000;

async function enabledWebhooks(db: Kysely<Database>, owners: readonly string[]): Promise<Subscription[]> {
  const found: Subscription[] = [];
  for (let i = 0; i < owners.length; i += OWNERS_AT_ONCE) {
    for (const row of await listEnabledWebhooks(db, owners.slice(i, i + OWNERS_AT_ONCE))) {
      found.push({
        id: row.id,
        ownerId: row.owner_id,
        eventTypes: JSON.parse(row.event_types) as string[],
        interestIds: JSON.parse(row.interest_ids) as string[],
      });
    }
  }
  return found;
}

/** A webhook that names interests still gets events that concern none. */
function takes({ eventTypes, interestIds }: Subscription, { type, interestId }: WebhookEvent): boolean {
  const isAskedFor = eventTypes.length === 0 || eventTypes.includes(type);
  return isAskedFor && (interestId === undefined || interestIds.length === 0 || interestIds.includes(interestId));
}
