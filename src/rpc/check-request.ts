import type { DescMethod, JsonObject } from "@bufbuild/protobuf";
import { BatchService } from "../../gen/modelscout/v1/batch_pb.ts";
import { InterestService } from "../../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../gen/modelscout/v1/webhook_pb.ts";
import type { FieldViolation } from "../error.ts";
import type { CheckValues } from "../transcoding/index.ts";
import { checkWebhook } from "../webhooks/index.ts";
import { checkBatchBody } from "./batches/check-batch.ts";
import { pageSizeViolations } from "./call/page.ts";
import { requestIdViolations } from "./call/request-id.ts";
import { longTextsInJson } from "./call/text-limits.ts";
import { checkInterest, updatedInterestFields } from "./interests/interest-fields.ts";
import { type EstimateFields, estimateFields } from "./inventory/estimate.ts";
import { checkPage } from "./inventory/model-pages.ts";
import { checkNeed, type NeedFields, needLimits } from "./recommendation/need.ts";
import { maskViolations } from "./webhooks/webhook-messages.ts";
import { deliveryFilterViolations } from "./webhooks/webhook-service.ts";

/**
 * Finds bad values in a JSON request before its handler runs, so that they are told together with unknown fields and
 * wrong types, under the names that the caller used. The handlers check the same for every protocol.
 */
export const checkValues: CheckValues = (method, json, sent) => {
  // Told alone: nothing else is to look at texts that are too long.
  const long = longTextsInJson(method.input, json, (key) => (sent.has(snakeCase(key)) ? snakeCase(key) : key));
  if (long.length > 0) {
    return long;
  }
  const fields = fieldReader(json);
  switch (method) {
    case RecommendationService.method.recommend:
      return needViolations(fields, "description", sent);
    case RecommendationService.method.quickRecommend:
      return needViolations(fields, "q", sent);
    case InventoryService.method.listFamilyModels:
      return pageViolations(fields, "family", sent);
    case InventoryService.method.listTaskModels:
      return pageViolations(fields, "task", sent);
    case InventoryService.method.estimateHardware:
      return estimateViolations(fields, sent);
    case InterestService.method.createInterest:
      return [...interestViolations(fields), ...requestIdViolations(fields.text("request_id") ?? "", nameAsSent(sent))];
    case InterestService.method.updateInterest:
      return updateViolations(fields);
    case InterestService.method.previewInterest:
      return previewViolations(fields, sent);
    case InterestService.method.listInterests:
    case InterestService.method.listMatches:
    case WebhookService.method.listWebhooks:
      return pageSizeViolations(fields.number("page_size") ?? 1, nameAsSent(sent));
    case WebhookService.method.createWebhook:
      return [
        ...webhookViolations(fields, true),
        ...requestIdViolations(fields.text("request_id") ?? "", nameAsSent(sent)),
      ];
    case WebhookService.method.updateWebhook:
      return [...webhookViolations(fields, false, maskPaths(fields)), ...maskViolations(maskPaths(fields))];
    case WebhookService.method.listDeliveries:
      return deliveryListViolations(fields, sent);
    default:
      return [];
  }
};

function needOf(fields: FieldReader, descriptionName = "description"): NeedFields {
  return {
    description: fields.text(descriptionName) ?? "",
    task_type: fields.text("task_type"),
    max_size_gb: fields.number("max_size_gb"),
    hardware: fields.text("hardware"),
    license: fields.text("license"),
    top_k: fields.number("top_k"),
    languages: fields.texts("languages"),
    min_context_length: fields.number("min_context_length"),
    ignore: fields.texts("ignore"),
  };
}

/** What is wrong with the values of an interest. @param optional fields that may be missing. */
function interestViolations(fields: FieldReader, optional: readonly string[] = []): readonly FieldViolation[] {
  const interest = fields.object("interest");
  if (interest === undefined) {
    return [];
  }
  const inInterest = fieldReader(interest);
  const stands = (field: string) => inInterest.text(field) ?? (optional.includes(field) ? "-" : "");
  const values = {
    ...needOf(inInterest),
    name: stands("name"),
    description: stands("description"),
    min_score: inInterest.number("min_score"),
  };
  const name = nameAsSent(new Set(Object.keys(interest)));
  return violationsOf(checkInterest(values, (field) => `interest.${name(field)}`));
}

/** Fields that are not sent stay as they are; one that the mask names and that must not be empty is found later. */
function updateViolations(fields: FieldReader): readonly FieldViolation[] {
  const paths = maskPaths(fields);
  const masked = paths.length === 0 ? [] : violationsOf(updatedInterestFields({ name: "", description: "" }, paths));
  return [...interestViolations(fields, ["name", "description"]), ...masked];
}

/** The paths of a field mask, as its JSON form has them or in snake_case. */
function maskPaths(fields: FieldReader): string[] {
  const mask = (fields.text("update_mask") ?? "").split(",").filter((path) => path !== "");
  return mask.map(snakeCase);
}

/**
 * What is wrong with the values of a webhook.
 *
 * @param isNew whether it must have all that is required.
 * @param mask the fields that are looked at; all of them where it names none.
 */
function webhookViolations(
  fields: FieldReader,
  isNew: boolean,
  mask: readonly string[] = [],
): readonly FieldViolation[] {
  const webhook = fields.object("webhook");
  if (webhook === undefined) {
    return [];
  }
  const inWebhook = fieldReader(webhook);
  const isMeant = (field: string) => mask.length === 0 || mask.includes("*") || mask.includes(field);
  const values = {
    url: isMeant("url") ? (inWebhook.text("url") ?? (isNew ? "" : undefined)) : undefined,
    eventTypes: isMeant("event_types") ? inWebhook.texts("event_types") : undefined,
    interestIds: isMeant("interest_ids") ? inWebhook.texts("interest_ids") : undefined,
    // An empty one is none.
    state: isMeant("state") ? inWebhook.text("state") || undefined : undefined,
  };
  const name = nameAsSent(new Set(Object.keys(webhook)));
  return checkWebhook(values, (field) => {
    const [list = "", ...place] = field.split(/(?=\[)/);
    return `webhook.${name(list)}${place.join("")}`;
  });
}

function deliveryListViolations(fields: FieldReader, sent: ReadonlySet<string>): readonly FieldViolation[] {
  const name = nameAsSent(sent);
  const filter = { state: fields.text("state"), eventType: fields.text("event_type") };
  return [...deliveryFilterViolations(filter, name), ...pageSizeViolations(fields.number("page_size") ?? 1, name)];
}

function previewViolations(fields: FieldReader, sent: ReadonlySet<string>): readonly FieldViolation[] {
  const topK = fields.number("top_k");
  const isWrong = topK !== undefined && !(Number.isInteger(topK) && topK >= 1 && topK <= needLimits.topK);
  const description = `is ${topK}; must be a whole number from 1 to ${needLimits.topK}`;
  const wrong = isWrong ? [{ field: nameAsSent(sent)("top_k"), description }] : [];
  return [...interestViolations(fields, ["name"]), ...wrong];
}

function needViolations(fields: FieldReader, descriptionName: string, sent: ReadonlySet<string>): FieldViolation[] {
  const name = nameAsSent(sent);
  const need = needOf(fields, descriptionName);
  const checked = checkNeed(need, (field) => name(field === "description" ? descriptionName : field));
  return "violations" in checked ? checked.violations : [];
}

function pageViolations(
  fields: FieldReader,
  field: "family" | "task",
  sent: ReadonlySet<string>,
): readonly FieldViolation[] {
  const name = fields.text(field) ?? "";
  const page = { field, name, pageSize: fields.number("page_size"), pageToken: fields.text("page_token") };
  return violationsOf(checkPage(page, nameAsSent(sent)));
}

function estimateViolations(fields: FieldReader, sent: ReadonlySet<string>): readonly FieldViolation[] {
  const hardware = fields.object("hardware");
  const inHardware = hardware === undefined ? undefined : fieldReader(hardware);
  const request: EstimateFields = {
    modelName: fields.text("model_name"),
    parameters: fields.number("parameters"),
    activeParameters: fields.number("active_parameters"),
    quantization: fields.text("quantization"),
    engine: fields.text("engine"),
    contextLength: fields.number("context_length"),
    promptTokens: fields.number("prompt_tokens"),
    hardware: inHardware && {
      class: inHardware.text("class"),
      gpuName: inHardware.text("gpu_name"),
      gpuCount: inHardware.number("gpu_count"),
      cpuName: inHardware.text("cpu_name"),
      memoryGb: inHardware.number("memory_gb"),
      memoryBandwidthGbS: inHardware.number("memory_bandwidth_gb_s"),
      systemMemoryGb: inHardware.number("system_memory_gb"),
    },
  };
  const name = nameAsSent(sent);
  const nameInHardware = nameAsSent(new Set(Object.keys(hardware ?? {})));
  return violationsOf(estimateFields(request)).map(({ field, description }) => {
    const [outer = "", inner] = field.split(".");
    return { field: inner === undefined ? name(outer) : `${name(outer)}.${nameInHardware(inner)}`, description };
  });
}

function violationsOf(result: object & { violations?: readonly FieldViolation[] }): readonly FieldViolation[] {
  return result.violations ?? [];
}

/** The spelling of a field that the caller used; its own name where the caller did not send it. */
function nameAsSent(sent: ReadonlySet<string>): (field: string) => string {
  return (field) => (!sent.has(field) && sent.has(camelCase(field)) ? camelCase(field) : field);
}

interface FieldReader {
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  texts(name: string): string[] | undefined;
  object(name: string): JsonObject | undefined;
}

/** Reads fields in either spelling; a value of another type counts as absent, since that is told already. */
function fieldReader(json: JsonObject): FieldReader {
  const value = (name: string) =>
    (Object.hasOwn(json, name) ? json[name] : undefined) ??
    (Object.hasOwn(json, camelCase(name)) ? json[camelCase(name)] : undefined);
  return {
    text: (name) => {
      const found = value(name);
      return typeof found === "string" ? found : undefined;
    },
    number: (name) => {
      const found = value(name);
      // ProtoJSON allows numbers in strings, as query parameters are.
      const number = typeof found === "string" && found.trim() !== "" ? Number(found) : found;
      return typeof number === "number" && !Number.isNaN(number) ? number : undefined;
    },
    texts: (name) => {
      const found = value(name);
      return Array.isArray(found) ? found.filter((item) => typeof item === "string") : undefined;
    },
    object: (name) => {
      const found = value(name);
      return typeof found === "object" && found !== null && !Array.isArray(found) ? found : undefined;
    },
  };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/**
 * Looks at a message before it is decoded, where its size alone does not bound what that takes.
 *
 * @throws ConnectError
 */
export function checkBody(method: DescMethod, bytes: Uint8Array, codec: "json" | "proto"): void {
  if (method === BatchService.method.createBatch) {
    checkBatchBody(bytes, codec);
  }
}
