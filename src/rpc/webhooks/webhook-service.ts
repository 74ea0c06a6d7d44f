import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  CreateWebhookRequestSchema,
  type DeliverySchema,
  type WebhookSchema,
  type WebhookService,
} from "../../../gen/modelscout/v1/webhook_pb.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import type { Delivery } from "../../webhooks/delivery/delivery.ts";
import type { Webhook, Webhooks } from "../../webhooks/index.ts";
import { ownerOf } from "../call/call.ts";
import { rowPageOf, rowPageToken } from "../call/page.ts";
import type { Ready } from "../call/ready.ts";
import { requestClaim, requestIdViolations, requiredId } from "../call/value-check.ts";
import { deliveryFilterViolations, webhookChanges, webhookValues } from "./webhook-fields.ts";

/** Answers WebhookService for the owner of the caller's key. Resources of other owners are not found. */
export function webhookService(webhooks: Pick<Ready<Webhooks>, "get">): ServiceImpl<typeof WebhookService> {
  return {
    async createWebhook(request, { values }) {
      const { webhook, requestId } = request;
      const ready = webhooks.get();
      if (webhook === undefined) {
        throw missing(requestIdViolations(requestId));
      }
      const wanted = webhookValues(webhook, requestIdViolations(requestId));
      const claim = requestClaim(CreateWebhookRequestSchema, request);
      return webhookMessage(await ready.create(ownerOf(values), wanted, claim));
    },

    async listWebhooks({ pageSize, pageToken }, { values }) {
      const page = rowPageOf("webhooks", { pageSize, pageToken });
      const { items, next } = await webhooks.get().list(ownerOf(values), page);
      return { webhooks: items.map(webhookMessage), nextPageToken: rowPageToken("webhooks", next) };
    },

    async getWebhook({ id }, { values }) {
      return webhookMessage(await webhooks.get().get(ownerOf(values), requiredId(id, "id")));
    },

    async updateWebhook({ webhook, updateMask }, { values }) {
      if (webhook === undefined) {
        throw missing();
      }
      const id = requiredId(webhook.id, "webhook.id");
      const change = webhookChanges(webhook, updateMask?.paths ?? []);
      return webhookMessage(await webhooks.get().update(ownerOf(values), id, change));
    },

    async deleteWebhook({ id }, { values }) {
      await webhooks.get().delete(ownerOf(values), requiredId(id, "id"));
      return {};
    },

    async rotateSecret({ id }, { values }) {
      return webhookMessage(await webhooks.get().rotateSecret(ownerOf(values), requiredId(id, "id")));
    },

    async testWebhook({ id }, { values, signal }) {
      return deliveryMessage(await webhooks.get().test(ownerOf(values), requiredId(id, "id"), signal));
    },

    async listDeliveries({ webhookId, state, eventType, pageSize, pageToken }, { values }) {
      const scope = `deliveries ${JSON.stringify([webhookId, state, eventType])}`;
      const page = rowPageOf(scope, { pageSize, pageToken }, deliveryFilterViolations({ state, eventType }));
      const filter = { state, eventType };
      const { items, next } = await webhooks
        .get()
        .listDeliveries(ownerOf(values), requiredId(webhookId, "webhook_id"), page, filter);
      return { deliveries: items.map(deliveryMessage), nextPageToken: rowPageToken(scope, next) };
    },

    async redeliver({ webhookId, id }, { values }) {
      const ready = webhooks.get();
      requiredId(webhookId, "webhook_id");
      return deliveryMessage(await ready.redeliver(ownerOf(values), webhookId, requiredId(id, "id")));
    },
  };
}

function missing(others: readonly FieldViolation[] = []) {
  return invalidRequest([{ field: "webhook", description: "is required" }, ...others]);
}

/** A webhook, with its secret if the secret is new. */
function webhookMessage(webhook: Webhook & { secret?: string }): MessageInitShape<typeof WebhookSchema> {
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

function deliveryMessage(delivery: Delivery): MessageInitShape<typeof DeliverySchema> {
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
