import { ServiceError } from "../error.ts";
import type { WebhooksTable } from "../store/tables/index.ts";

/** An endpoint that events are sent to. Times are in milliseconds since 1970. */
export interface Webhook {
  id: string;
  url: string;
  /** Empty: all. */
  eventTypes: readonly string[];
  /** Empty: matches of all interests. */
  interestIds: readonly string[];
  state: WebhooksTable["state"];
  /** Why the service disabled it. */
  disabledReason?: string;
  /** Until when the previous secret signs as well. */
  previousSecretUntil?: number;
  createdAt: number;
  updatedAt: number;
}

/** The values that an owner sets. */
export type WebhookValues = Pick<Webhook, "url" | "eventTypes" | "interestIds" | "state">;

/** A webhook with its secret. Show it only in the answer to the call that made the secret. */
export interface WebhookWithSecret extends Webhook {
  /** `whsec_…` */
  secret: string;
}

/**
 * Reads a webhook from its row. @param now decides whether the previous secret still signs, in milliseconds since 1970.
 */
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

/** The error WEBHOOK_DISABLED, for sending to a disabled webhook. */
export function webhookDisabled(id: string): ServiceError {
  return new ServiceError("WEBHOOK_DISABLED", { id }, { metadata: { webhook_id: id } });
}
