import type { WebhooksTable } from "../store/tables/webhooks.ts";
import type { Webhook } from "./webhook.ts";

/** A row as a webhook. @param now decides whether the secret before still signs, in milliseconds since 1970. */
export function toWebhook(row: WebhooksTable, now: number): Webhook {
  const until = row.previous_secret_until ?? 0;
  return {
    id: row.id,
    url: row.url,
    eventTypes: JSON.parse(row.event_types) as string[],
    interestIds: JSON.parse(row.interest_ids) as string[],
    state: row.state,
    disabledReason: row.disabled_reason ?? undefined,
    previousSecretUntil: until > now ? until : undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
