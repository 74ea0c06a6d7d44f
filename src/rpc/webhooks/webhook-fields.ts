import {
  type Webhook as WebhookMessage,
  WebhookSchema,
  WebhookService,
} from "../../../gen/modelscout/v1/webhook_pb.ts";
import { type FieldViolation, invalidRequest } from "../../error.ts";
import { deliveryStates } from "../../webhooks/delivery/delivery.ts";
import { checkWebhook, eventTypes, type WebhookValues } from "../../webhooks/index.ts";
import { changedFields, maskViolations } from "../call/field-mask.ts";
import { pageSizeViolations } from "../call/page.ts";
import { requestIdViolations, valueCheck, within } from "../call/value-check.ts";

/** The fields of a webhook that callers may set, by their names in messages. */
export type WebhookFields = Pick<WebhookMessage, "url" | "eventTypes" | "interestIds" | "state">;

/** The values of a new webhook. @throws ServiceError INVALID_REQUEST with all violations, `others` among them. */
export function webhookValues(webhook: WebhookFields, others: readonly FieldViolation[]): WebhookValues {
  return checkedValues(newValues(webhook), others) as WebhookValues;
}

/** The changed values of an update. @throws ServiceError INVALID_REQUEST with all violations. */
export function webhookChanges(webhook: WebhookFields, paths: readonly string[]): Partial<WebhookValues> {
  return checkedValues(changedValues(webhook, paths), maskViolations(WebhookSchema, paths));
}

function checkedValues(values: Partial<WebhookFields>, others: readonly FieldViolation[]): Partial<WebhookValues> {
  const violations = [...within("webhook.", checkWebhook(values)), ...others];
  if (violations.length > 0) {
    throw invalidRequest(violations);
  }
  return values as Partial<WebhookValues>;
}

function newValues({ url, eventTypes: types, interestIds, state }: WebhookFields): WebhookFields {
  return { url, eventTypes: types, interestIds, state: stateOf(state) };
}

function changedValues(webhook: WebhookFields, paths: readonly string[]): Partial<WebhookFields> {
  const { state, ...changes } = changedFields<WebhookFields>(WebhookSchema, webhook, paths);
  return state === undefined ? changes : { ...changes, state: stateOf(state) };
}

/** A webhook without a state is enabled. */
function stateOf(sent: string): string {
  return sent === "" ? "enabled" : sent;
}

const listedTypes = [...eventTypes, "webhook.test"];

/** The violations in the filters of a list of deliveries. */
export function deliveryFilterViolations({
  state,
  eventType,
}: {
  state?: string;
  eventType?: string;
}): FieldViolation[] {
  return [...unknownValue("state", state, deliveryStates), ...unknownValue("event_type", eventType, listedTypes)];
}

function unknownValue(field: string, value: string | undefined, known: readonly string[]): FieldViolation[] {
  if (value === undefined || known.includes(value)) {
    return [];
  }
  return [{ field, description: `is ${JSON.stringify(value.slice(0, 60))}; must be one of ${known.join(", ")}` }];
}

const { createWebhook, updateWebhook, listWebhooks, listDeliveries } = WebhookService.method;

/** The checks of WebhookService's requests in JSON, before the handler. */
export const webhookChecks = [
  valueCheck(createWebhook, ({ webhook, requestId }) => {
    const violations = webhook === undefined ? [] : checkWebhook(newValues(webhook));
    return [...within("webhook.", violations), ...requestIdViolations(requestId)];
  }),
  valueCheck(updateWebhook, ({ webhook, updateMask: { paths } = { paths: [] } }) => {
    const violations = webhook === undefined ? [] : checkWebhook(changedValues(webhook, paths));
    return [...within("webhook.", violations), ...maskViolations(WebhookSchema, paths)];
  }),
  valueCheck(listWebhooks, ({ pageSize }) => pageSizeViolations(pageSize)),
  valueCheck(listDeliveries, (request) => [
    ...deliveryFilterViolations(request),
    ...pageSizeViolations(request.pageSize),
  ]),
];
