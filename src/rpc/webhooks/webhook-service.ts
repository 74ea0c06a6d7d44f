import { toBinary } from "@bufbuild/protobuf";
import type { ContextValues, ServiceImpl } from "@connectrpc/connect";
import {
  CreateWebhookRequestSchema,
  type Webhook as WebhookMessage,
  type WebhookService,
} from "../../../gen/modelscout/v1/webhook_pb.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import { deliveryStates } from "../../webhooks/delivery/delivery.ts";
import { checkWebhook, eventTypes, type Webhooks, type WebhookValues } from "../../webhooks/index.ts";
import { callerOf } from "../call/context.ts";
import { rowPageOf, rowPageToken } from "../call/page.ts";
import type { Ready } from "../call/ready.ts";
import { requestIdViolations } from "../call/request-id.ts";
import { deliveryMessage, maskViolations, updatedWebhookFields, webhookMessage } from "./webhook-messages.ts";

/** Answers WebhookService: everything is the owner's of the key, and what is another one's is not found. */
export function webhookService(webhooks: Pick<Ready<Webhooks>, "get">): ServiceImpl<typeof WebhookService> {
  return {
    async createWebhook(request, { values }) {
      const { webhook, requestId } = request;
      const ready = webhooks.get();
      if (webhook === undefined) {
        throw missing(requestIdViolations(requestId));
      }
      const wanted = valuesOf(webhook);
      assertRight(wanted, requestIdViolations(requestId));
      const content = toBinary(CreateWebhookRequestSchema, { ...request, requestId: "" });
      const claim = requestId === "" ? undefined : { requestId, content };
      return webhookMessage(await ready.create(ownerOf(values), wanted, claim));
    },

    async listWebhooks({ pageSize, pageToken }, { values }) {
      const page = rowPageOf("webhooks", { pageSize, pageToken });
      const { items, next } = await webhooks.get().list(ownerOf(values), page);
      return { webhooks: items.map(webhookMessage), nextPageToken: rowPageToken("webhooks", next) };
    },

    async getWebhook({ id }, { values }) {
      return webhookMessage(await webhooks.get().get(ownerOf(values), named(id, "id")));
    },

    async updateWebhook({ webhook, updateMask }, { values }) {
      if (webhook === undefined) {
        throw missing();
      }
      const id = named(webhook.id, "webhook.id");
      const paths = updateMask?.paths ?? [];
      const fields = updatedWebhookFields(webhook, paths);
      const sent = valuesOf(webhook);
      const change = {
        ...(fields.has("url") ? { url: sent.url } : {}),
        ...(fields.has("event_types") ? { eventTypes: sent.eventTypes } : {}),
        ...(fields.has("interest_ids") ? { interestIds: sent.interestIds } : {}),
        ...(fields.has("state") ? { state: sent.state } : {}),
      };
      assertRight(change, maskViolations(paths));
      return webhookMessage(await webhooks.get().update(ownerOf(values), id, change));
    },

    async deleteWebhook({ id }, { values }) {
      await webhooks.get().delete(ownerOf(values), named(id, "id"));
      return {};
    },

    async rotateSecret({ id }, { values }) {
      return webhookMessage(await webhooks.get().rotateSecret(ownerOf(values), named(id, "id")));
    },

    async testWebhook({ id }, { values, signal }) {
      return deliveryMessage(await webhooks.get().test(ownerOf(values), named(id, "id"), signal));
    },

    async listDeliveries({ webhookId, state, eventType, pageSize, pageToken }, { values }) {
      const scope = `deliveries ${JSON.stringify([webhookId, state, eventType])}`;
      const page = rowPageOf(scope, { pageSize, pageToken }, deliveryFilterViolations({ state, eventType }));
      const filter = { state, eventType };
      const { items, next } = await webhooks
        .get()
        .listDeliveries(ownerOf(values), named(webhookId, "webhook_id"), page, filter);
      return { deliveries: items.map(deliveryMessage), nextPageToken: rowPageToken(scope, next) };
    },

    async redeliver({ webhookId, id }, { values }) {
      const ready = webhooks.get();
      named(webhookId, "webhook_id");
      return deliveryMessage(await ready.redeliver(ownerOf(values), webhookId, named(id, "id")));
    },
  };
}

const listedTypes = [...eventTypes, "webhook.test"];

/** What is wrong with the filters of a list of deliveries. */
export function deliveryFilterViolations(
  { state, eventType }: { state?: string; eventType?: string },
  nameOf: (field: string) => string = (field) => field,
): FieldViolation[] {
  const violations: FieldViolation[] = [];
  const known = (field: string, value: string | undefined, values: readonly string[]) => {
    if (value === undefined || values.includes(value)) {
      return;
    }
    const description = `is ${JSON.stringify(value.slice(0, 60))}; must be one of ${values.join(", ")}`;
    violations.push({ field: nameOf(field), description });
  };
  known("state", state, deliveryStates);
  known("event_type", eventType, listedTypes);
  return violations;
}

/** Of callers whose tier has these methods: they have a key. */
function ownerOf(values: ContextValues): string {
  const { ownerId } = callerOf(values);
  if (ownerId === undefined) {
    throw new Error("A caller without an owner came to what only owners have");
  }
  return ownerId;
}

function named(id: string, field: string): string {
  if (id === "") {
    throw invalidRequest([{ field, description: "is required" }]);
  }
  return id;
}

function missing(others: readonly FieldViolation[] = []) {
  return invalidRequest([{ field: "webhook", description: "is required" }, ...others]);
}

/** A webhook without a state is enabled. */
function valuesOf({ url, eventTypes: types, interestIds, state }: WebhookMessage) {
  return { url, eventTypes: types, interestIds, state: state === "" ? "enabled" : state };
}

type SentValues = Omit<WebhookValues, "state"> & { state: string };

/** Lets values through that are right as far as they tell by themselves. @throws ServiceError INVALID_REQUEST with all violations. */
function assertRight<T extends Partial<SentValues>>(
  sent: T,
  others: readonly FieldViolation[],
): asserts sent is T & Partial<WebhookValues> {
  const violations = [...checkWebhook(sent, (field) => `webhook.${field}`), ...others];
  if (violations.length > 0) {
    throw invalidRequest(violations);
  }
}
