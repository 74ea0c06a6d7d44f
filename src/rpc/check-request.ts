import {
  type DescField,
  type DescMessage,
  type DescMethod,
  fromJson,
  type JsonObject,
  type JsonValue,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { BatchService } from "../../gen/modelscout/v1/batch_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import type { CheckValues } from "../../packages/connect-transcoding/src/index.ts";
import type { FieldViolation } from "../error.ts";
import { backgroundBatchSize, batchCallSize, checkBatchBody } from "./batches/check-batch.ts";
import { longTextsInJson } from "./call/text-limits.ts";
import { interestChecks } from "./interests/interest-messages.ts";
import { inventoryChecks } from "./inventory/inventory-service.ts";
import { recommendationChecks } from "./recommendation/need.ts";
import { webhookChecks } from "./webhooks/webhook-fields.ts";

const checks = new Map([...recommendationChecks, ...inventoryChecks, ...interestChecks, ...webhookChecks]);

/**
 * Finds bad values in a JSON request before its handler runs, so that they are reported together with unknown fields
 * and wrong types, under the names that the caller used. Texts that are too long are reported alone.
 */
export const checkValues: CheckValues = (method, json, sent) => {
  const named = ({ field, description }: FieldViolation) => ({ field: nameAsSent(field, json, sent), description });
  const long = longTextsInJson(method.input, json);
  const check = checks.get(method);
  if (long.length > 0 || check === undefined) {
    return long.map(named);
  }
  const { message } = readMessage(method.input, json);
  return check(message).map(named);
};

/** The message of a request in JSON. Fields that cannot be read are unset; they are reported already. */
function readMessage(desc: DescMessage, json: JsonObject): ReflectMessage {
  try {
    return reflect(desc, fromJson(desc, json, { ignoreUnknownFields: true }));
  } catch {
    return readFields(desc, json);
  }
}

/** Reads the fields one by one. */
function readFields(desc: DescMessage, json: JsonObject): ReflectMessage {
  const message = reflect(desc);
  for (const field of desc.fields) {
    const name = [field.name, field.jsonName].find((each) => Object.hasOwn(json, each));
    const value = name === undefined ? undefined : json[name];
    if (value !== undefined && value !== null) {
      setField(message, field, value);
    }
  }
  return message;
}

function setField(message: ReflectMessage, field: DescField, value: JsonValue): void {
  if (field.fieldKind === "message" && isObject(value)) {
    message.set(field, readMessage(field.message, value));
    return;
  }
  try {
    const { desc } = message;
    message.set(field, reflect(desc, fromJson(desc, { [field.jsonName]: value })).get(field));
  } catch {
    // The field has the wrong type, or one of its entries has.
  }
}

/**
 * A field such as `interest.max_size_gb` in the spelling that the caller used. `sent` are the top-level names, and the
 * whole names of query parameters.
 */
function nameAsSent(path: string, json: JsonObject, sent: ReadonlySet<string>): string {
  const inQuery = path.split(".").map(snakeCase).join(".");
  if (sent.has(inQuery)) {
    return inQuery;
  }
  let holder: JsonValue | undefined = json;
  let names = sent;
  const steps = path.split(".").map((step) => {
    const [sentName = "", ...places] = step.split(/(?=\[)/);
    const name = snakeCase(sentName);
    const isCamelCase = !names.has(name) && names.has(camelCase(name));
    const spelled = isCamelCase ? camelCase(name) : name;
    holder = isObject(holder) ? (holder[spelled] ?? holder[camelCase(name)]) : undefined;
    names = new Set(isObject(holder) ? Object.keys(holder) : []);
    return spelled + places.join("");
  });
  return steps.join(".");
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Checks a message before it is decoded. @throws ConnectError */
export type EncodedMessageCheck = (bytes: Uint8Array, codec: "json" | "proto") => void;

const encodedMessageChecks: ReadonlyMap<DescMethod, EncodedMessageCheck> = new Map<DescMethod, EncodedMessageCheck>([
  [RecommendationService.method.batchRecommend, checkBatchBody.bind(undefined, batchCallSize)],
  [BatchService.method.createBatch, checkBatchBody.bind(undefined, backgroundBatchSize)],
]);

/** The check of a method's messages; undefined if the limit on their size is enough to limit the work of decoding. */
export function encodedMessageCheck(method: DescMethod): EncodedMessageCheck | undefined {
  return encodedMessageChecks.get(method);
}
