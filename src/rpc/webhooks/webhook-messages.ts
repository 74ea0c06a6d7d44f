import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { DeliverySchema, WebhookSchema } from "../../../gen/modelscout/v1/webhook_pb.ts";
import type { Delivery } from "../../webhooks/delivery/delivery.ts";
import type { Webhook } from "../../webhooks/index.ts";

/** A webhook, with its secret if that is new. */
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
