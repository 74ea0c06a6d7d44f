import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { DeliverySchema, WebhookSchema } from "../../../gen/modelscout/v1/webhook_pb.ts";
import type { FieldViolation } from "../../error.ts";
import { didYouMean } from "../../text/index.ts";
import type { Delivery } from "../../webhooks/delivery/delivery.ts";
import type { Webhook } from "../../webhooks/index.ts";

/** A webhook; with its secret where that was just made. */
export function webhookMessage(webhook: Webhook & { secret?: string }): MessageInitShape<typeof WebhookSchema> {
  const { id, url, eventTypes, interestIds, state, disabledReason, secret } = webhook;
  return {
    id,
    url,
    eventTypes: [...eventTypes],
    interestIds: [...interestIds],
    state,
    disabledReason,
    secret,
    previousSecretUntil: optionalTime(webhook.previousSecretUntil),
    createdAt: timestampFromMs(webhook.createdAt),
    updatedAt: timestampFromMs(webhook.updatedAt),
  };
}

export function deliveryMessage(delivery: Delivery): MessageInitShape<typeof DeliverySchema> {
  const { id, webhookId, eventType, state, attempts, attemptCount, nextAttemptAt, createdAt } = delivery;
  return {
    id,
    webhookId,
    eventType,
    state,
    attempts: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: timestampFromMs(at) })),
    attemptCount,
    nextAttemptAt: optionalTime(nextAttemptAt),
    createdAt: timestampFromMs(createdAt),
  };
}

function optionalTime(ms: number | undefined) {
  return ms === undefined ? undefined : timestampFromMs(ms);
}

/** What an update may name. */
const editable = ["url", "event_types", "interest_ids", "state"] as const;
/** What the service sets: sent back as it was read, it changes nothing. */
const outputOnly: readonly string[] = [
  "id",
  "disabled_reason",
  "secret",
  "previous_secret_until",
  "created_at",
  "updated_at",
];

/** A field of a webhook that an update may change. */
export type WebhookField = (typeof editable)[number];

/** The paths of a field mask that name nothing of a webhook, as a violation; none where all are known. */
export function maskViolations(paths: readonly string[]): FieldViolation[] {
  const known: readonly string[] = [...editable, ...outputOnly, "*"];
  const unknown = paths.filter((path) => !known.includes(path)).slice(0, 5);
  if (unknown.length === 0) {
    return [];
  }
  const named = unknown.map(
    (path) => JSON.stringify(path.slice(0, 60)) + didYouMean(path, editable, { isListed: true }),
  );
  const description = `has ${named.join(", ")}; the fields of a webhook are ${editable.join(", ")}`;
  return [{ field: "update_mask", description }];
}

/** The fields that an update changes: those of the mask, or without one those that are sent. */
export function updatedWebhookFields(
  sent: { url: string; eventTypes: readonly string[]; interestIds: readonly string[]; state: string },
  paths: readonly string[],
): ReadonlySet<WebhookField> {
  if (paths.includes("*")) {
    return new Set(editable);
  }
  const isSent = {
    url: sent.url !== "",
    event_types: sent.eventTypes.length > 0,
    interest_ids: sent.interestIds.length > 0,
    state: sent.state !== "",
  };
  return new Set(editable.filter((field) => (paths.length === 0 ? isSent[field] : paths.includes(field))));
}
