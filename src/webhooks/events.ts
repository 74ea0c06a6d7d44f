import type { Kysely } from "kysely";
import { type Database, newId } from "../store/index.ts";
import { insertDeliveries, listEnabledWebhooks, type NewDelivery } from "../store/tables/index.ts";

/** The events that webhooks may subscribe to. */
export const eventTypes = ["model.matched", "batch.completed"] as const;

/** Something that happened, for the webhooks of an owner. */
export interface WebhookEvent {
  /** The webhooks of this owner get it. */
  ownerId: string;
  type: (typeof eventTypes)[number];
  /** The interest it is about, for webhooks that subscribe to some interests only. Absent if it is about none. */
  interestId?: string;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  /** The `data` that receivers get, in snake_case. */
  data: Readonly<Record<string, unknown>>;
}

/** The body that receivers get (Standard Webhooks specification). @param at milliseconds since 1970. */
export function eventBody({ type, at, data }: { type: string; at: number; data: object }): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}

/**
 * Records events for the enabled webhooks that subscribe to them. A recorded event is delivered at least once; a
 * webhook that is disabled now never gets it.
 *
 * @param db usually the transaction of what happened, so that neither is stored without the other. After the commit,
 * send `store.signals.send("deliveries")` to deliver at once.
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

/** Owners in one query: a matcher's transaction is about many at once. */
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

/** A webhook that names interests also gets events that are about no interest. */
function takes({ eventTypes, interestIds }: Subscription, { type, interestId }: WebhookEvent): boolean {
  const isAskedFor = eventTypes.length === 0 || eventTypes.includes(type);
  return isAskedFor && (interestId === undefined || interestIds.length === 0 || interestIds.includes(interestId));
}
