import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { tiers } from "../../access/caller.ts";
import { batchStates } from "../../batches/batch.ts";
import {
  cacheTypes,
  type DeviceKind,
  type Fit,
  hardwareClasses,
  planLimits,
  priceClasses,
  requestLimits,
} from "../../hardware/index.ts";
import { DEFAULT_MIN_SCORE } from "../../interests/index.ts";
import {
  capabilityNames,
  knownLicenses,
  type LicenseClass,
  licenseWords,
  listColumns,
  taskTypes,
} from "../../inventory/index.ts";
import { type JsonSchema, mergeSchemas } from "../../openapi/index.ts";
import { priorities, readingSources, wishKinds } from "../../recommend/index.ts";
import { comparedModels, type FieldLimits, limitsWithin, needLimits, pageLimits } from "../../rpc/index.ts";
import { attemptOutcomes, deliveryStates } from "../../webhooks/delivery/delivery.ts";
import { eventTypes, webhookStates } from "../../webhooks/index.ts";

const fits = ["fits", "tight", "offload", "too-large"] as const satisfies readonly Fit[];
const deviceKinds = ["gpu", "unified", "cpu"] as const satisfies readonly DeviceKind[];
const licenseClasses = [
  "permissive",
  "open",
  "commercial",
  "non-commercial",
] as const satisfies readonly LicenseClass[];

const oneOf = (values: readonly string[]): JsonSchema => ({ enum: [...values] });
const above0 = (maximum: number): JsonSchema => ({ exclusiveMinimum: 0, maximum });
const count: JsonSchema = { minimum: 0 };
const share: JsonSchema = { minimum: 0, maximum: 1 };
const hardwareClass = oneOf(Object.keys(hardwareClasses));

const description: JsonSchema = {
  minLength: 1,
  examples: ["transcribe long meetings on a laptop without a GPU"],
};

const need: Record<string, JsonSchema> = {
  task_type: oneOf(taskTypes),
  max_size_gb: { exclusiveMinimum: 0 },
  hardware: hardwareClass,
  license: { ...oneOf([...licenseWords, ...knownLicenses]), default: "any" },
  top_k: { minimum: 1, maximum: needLimits.topK, default: needLimits.defaultTopK },
  languages: { items: { pattern: "^[a-z]{2}$" } },
  min_context_length: { minimum: 1 },
  ignore: { items: { pattern: `^(${wishKinds.join("|")})(:.*)?$` } },
  priority: { ...oneOf(priorities), default: "balanced" },
  capabilities: { items: oneOf(capabilityNames) },
  min_parameters: above0(requestLimits.parameters),
  max_parameters: above0(requestLimits.parameters),
  min_tokens_per_second: above0(needLimits.tokensPerSecond),
};

const page: Record<string, JsonSchema> = {
  page_size: { minimum: 0, default: pageLimits.defaultSize },
  page_token: {},
};

const interestId: JsonSchema = { examples: ["int_01jk2mfs1s0g8t5d2c9bq4n7va"] };
const webhookId: JsonSchema = { examples: ["wh_01jk2mfs1s0g8t5d2c9bq4n7va"] };
const batchId: JsonSchema = { examples: ["bat_01jk2mfs1s0g8t5d2c9bq4n7va"] };
const deliveryId: JsonSchema = { examples: ["msg_01jk2mfs1s0g8t5d2c9bq4n7va"] };
const listedEvents = oneOf([...eventTypes, "webhook.test"]);

const { top_k: _results, ...interestNeed } = need;

const gb = above0(requestLimits.gb);
const tokens: JsonSchema = { minimum: 1, maximum: requestLimits.tokens };

/** Rules of the fields of each message, from the tables and limits that also check requests. */
const rulesOf: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  "modelscout.v1.RecommendRequest": { description, ...need },
  "modelscout.v1.QuickRecommendRequest": { q: description, ...need },
  "modelscout.v1.BatchRecommendRequest": { requests: { minItems: 1 } },
  "modelscout.v1.Batch": {
    name: { minLength: 1 },
    requests: { minItems: 1 },
    state: oneOf(batchStates),
    total: count,
    completed: count,
    failed: count,
  },
  "modelscout.v1.CreateBatchRequest": { request_id: { pattern: "^[A-Za-z0-9._-]+$" } },
  "modelscout.v1.ListBatchesRequest": { state: oneOf(batchStates), ...page },
  "modelscout.v1.GetBatchRequest": { id: batchId },
  "modelscout.v1.CancelBatchRequest": { id: batchId },
  "modelscout.v1.ListBatchResultsRequest": { batch_id: batchId, ...page },
  "modelscout.v1.BatchResult": { index: count },
  "modelscout.v1.StreamBatchResultsRequest": { batch_id: batchId, after: { pattern: "^\\d{0,9}$" } },
  "modelscout.v1.Webhook": {
    id: webhookId,
    url: { format: "uri", minLength: 1 },
    event_types: { uniqueItems: true, items: oneOf(eventTypes) },
    interest_ids: { uniqueItems: true },
    state: oneOf(webhookStates),
  },
  "modelscout.v1.CreateWebhookRequest": { request_id: { pattern: "^[A-Za-z0-9._-]+$" } },
  "modelscout.v1.ListWebhooksRequest": page,
  "modelscout.v1.GetWebhookRequest": { id: webhookId },
  "modelscout.v1.DeleteWebhookRequest": { id: webhookId },
  "modelscout.v1.RotateSecretRequest": { id: webhookId },
  "modelscout.v1.TestWebhookRequest": { id: webhookId },
  "modelscout.v1.ListDeliveriesRequest": {
    webhook_id: webhookId,
    state: oneOf(deliveryStates),
    event_type: listedEvents,
    ...page,
  },
  "modelscout.v1.RedeliverRequest": { webhook_id: webhookId, id: deliveryId },
  "modelscout.v1.Delivery": { event_type: listedEvents, state: oneOf(deliveryStates), attempt_count: count },
  "modelscout.v1.DeliveryAttempt": { outcome: oneOf(attemptOutcomes), duration_ms: count },
  "modelscout.v1.Interest": {
    id: interestId,
    name: { minLength: 1 },
    description,
    ...interestNeed,
    min_score: { ...share, default: DEFAULT_MIN_SCORE },
  },
  "modelscout.v1.CreateInterestRequest": { request_id: { pattern: "^[A-Za-z0-9._-]+$" } },
  "modelscout.v1.ListInterestsRequest": page,
  "modelscout.v1.GetInterestRequest": { id: interestId },
  "modelscout.v1.DeleteInterestRequest": { id: interestId },
  "modelscout.v1.PreviewInterestRequest": {
    id: interestId,
    top_k: { minimum: 1, maximum: needLimits.topK, default: needLimits.defaultPreview },
  },
  "modelscout.v1.ListMatchesRequest": { model_name: { pattern: "^[^/]+/[^/]+$" }, ...page },
  "modelscout.v1.Match": { score: share, cause: oneOf(["added", "changed"]) },
  "modelscout.v1.StreamClosing": { reason: oneOf(["shutting-down", "key-invalid"]) },
  "modelscout.v1.RecommendResponse": {
    query_time_ms: count,
    models_searched: count,
    models_after_filter: count,
  },
  "modelscout.v1.Recommendation": { score: share },
  "modelscout.v1.Sizing": { fit: oneOf(fits) },
  "modelscout.v1.UnderstoodTask": { task_type: oneOf(taskTypes), confidence: share, source: oneOf(readingSources) },
  "modelscout.v1.Wish": { kind: oneOf(wishKinds), source: oneOf(readingSources) },
  "modelscout.v1.GetUsageResponse": { tier: oneOf(tiers), used: count, remaining: count },
  "modelscout.v1.ListFamilyModelsRequest": { family: { examples: ["qwen"] }, ...page },
  "modelscout.v1.ListTaskModelsRequest": { task: { examples: ["text-to-image"] }, ...page },
  "modelscout.v1.SearchModelsRequest": {
    q: { examples: ["qwen coder"] },
    max_size_gb: need.max_size_gb as JsonSchema,
    hardware: hardwareClass,
    license: need.license as JsonSchema,
    languages: need.languages as JsonSchema,
    min_context_length: need.min_context_length as JsonSchema,
    order_by: { ...oneOf(listColumns.flatMap((column) => [column, `${column} desc`])), default: "downloads desc" },
    ...page,
  },
  "modelscout.v1.GetModelRequest": { model_name: { examples: ["openai/whisper-tiny"] } },
  "modelscout.v1.CompareModelsRequest": {
    names: {
      minItems: comparedModels.least,
      maxItems: comparedModels.most,
      uniqueItems: true,
      examples: [["Qwen/Qwen3-8B", "meta-llama/Llama-3.1-8B-Instruct"]],
    },
    hardware: { ...hardwareClass, examples: ["gpu-24gb"] },
    context_length: tokens,
  },
  "modelscout.v1.TaskCount": { task_type: oneOf(taskTypes), count },
  "modelscout.v1.FamilyCount": { count },
  "modelscout.v1.LicenseTerms": { class: oneOf([...licenseClasses, "unknown"]) },
  "modelscout.v1.QualitySignals": { adoption: share, freshness: share, completeness: share },
  "modelscout.v1.HardwareEstimate": { fit: oneOf(fits) },
  "modelscout.v1.EstimateHardwareRequest": {
    parameters: above0(requestLimits.parameters),
    active_parameters: above0(requestLimits.parameters),
    context_length: tokens,
    prompt_tokens: { minimum: 0, maximum: requestLimits.tokens },
    cache_type: { ...oneOf(Object.keys(cacheTypes)), default: "f16" },
  },
  "modelscout.v1.PlanHardwareRequest": {
    parameters: above0(requestLimits.parameters),
    active_parameters: above0(requestLimits.parameters),
    context_length: tokens,
    prompt_tokens: { minimum: 0, maximum: requestLimits.tokens },
    cache_type: { ...oneOf(Object.keys(cacheTypes)), default: "f16" },
    min_tokens_per_second: above0(planLimits.tokensPerSecond),
    max_devices: { minimum: 1, maximum: planLimits.devices, default: planLimits.defaultDevices },
  },
  "modelscout.v1.HardwareOption": { kind: oneOf(deviceKinds), price_class: oneOf(priceClasses) },
  "modelscout.v1.Hardware": {
    class: hardwareClass,
    gpu_count: { minimum: 1, maximum: requestLimits.gpus, default: 1 },
    memory_gb: gb,
    memory_bandwidth_gb_s: gb,
    system_memory_gb: gb,
  },
  "google.rpc.Status": { details: { items: { $ref: "#/components/schemas/ErrorDetail" } } },
  "google.rpc.ErrorInfo": {
    reason: { description: "What went wrong, for programs. A reason never changes its meaning." },
    domain: { description: "Always modelscout." },
    metadata: { description: "Facts about the error, such as the nearest names that exist." },
  },
  "google.rpc.BadRequest": {
    field_violations: { description: "Everything that is wrong with the request, or the first 30 of many." },
  },
  "google.rpc.BadRequest.FieldViolation": {
    field: { description: "The field, as the caller sent it." },
    description: { description: "What is wrong with it, and what would be right." },
  },
  "google.rpc.QuotaFailure": { violations: { description: "The limits that the request would have exceeded." } },
  "google.rpc.QuotaFailure.Violation": {
    subject: { description: "Whose limit it is." },
    description: { description: "What the limit is." },
  },
  "google.rpc.RetryInfo": { retry_delay: { description: "How long to wait before another try, such as 3600s." } },
  "google.rpc.ResourceInfo": {
    resource_type: { description: "What kind of thing is missing, such as model." },
    resource_name: { description: "The name asked for." },
  },
  "google.rpc.Help": { links: { description: "Pages that help." } },
};

const knownRules: ReadonlyMap<string, JsonSchema> = new Map(
  Object.entries(rulesOf).flatMap(([message, fields]) =>
    Object.entries(fields).map(([field, rules]) => [`${message}.${field}`, rules] as const),
  ),
);

/**
 * The rules of fields beyond their types, by full name: those above, and the limits that fields of requests declare in
 * the contract.
 */
export function fieldRules(requests: Iterable<DescMessage>): Record<string, JsonSchema> {
  const rules = Object.fromEntries(knownRules);
  for (const request of requests) {
    for (const [field, limits] of limitsWithin(request)) {
      const name = `${field.parent.typeName}.${field.name}`;
      rules[name] = mergeSchemas(limitRules(field, limits), knownRules.get(name) ?? {});
    }
  }
  return rules;
}

/** Messages that the service sets in every answer, although the contract could leave them out. */
export const alwaysSet: ReadonlySet<string> = new Set([
  "modelscout.v1.RecommendResponse.understood",
  "modelscout.v1.Recommendation.model",
  "modelscout.v1.GetUsageResponse.reset",
  "modelscout.v1.PreviewInterestResponse.understood",
  "modelscout.v1.Match.model",
  "modelscout.v1.Match.matched_at",
  "modelscout.v1.HardwareOption.estimate",
]);

/** The limits of a field that JSON Schema can express. A field mask is one text with all its paths. */
function limitRules({ fieldKind, message }: DescField, { length, items }: FieldLimits): JsonSchema {
  if (fieldKind === "message") {
    return {};
  }
  if (items === undefined) {
    return length === undefined ? {} : { maxLength: length };
  }
  const most: JsonSchema = fieldKind === "map" ? { maxProperties: items } : { maxItems: items };
  return length === undefined || message !== undefined ? most : { ...most, items: { maxLength: length } };
}
