import {
  create,
  type DescField,
  type DescMessage,
  fromBinary,
  getOption,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { FieldBehavior, fieldBehavior } from "../google-api.ts";
import type { Binding } from "../http-rule/binding.ts";
import { isHttpBody, readHttpBody } from "../http-rule/http-body.ts";
import { textReader } from "../values/readers.ts";

/** Options of the JSON in responses. */
export type ResponseJsonOptions = Partial<JsonWriteOptions> & { readonly registry?: Registry };

/**
 * The JSON form of one field of a message. An unset field gives its default: `[]`, `{}`, zero or the empty string,
 * `{}` for a message, and null for an optional scalar or a message whose JSON form is a single value.
 */
export function fieldToJson(
  desc: DescMessage,
  message: Message,
  field: DescField,
  options: ResponseJsonOptions,
): JsonValue {
  // A message with only this field, so that nothing else is written.
  const part = create(desc);
  const source = reflect(desc, message);
  if (source.isSet(field)) {
    reflect(desc, part).set(field, source.get(field));
  }
  const key = options.useProtoFieldName ? field.name : field.jsonName;
  const json = toJson(desc, part, options) as JsonObject;
  if (Object.hasOwn(json, key)) {
    return json[key]!;
  }
  const defaults = toJson(desc, create(desc), { ...options, alwaysEmitImplicit: true }) as JsonObject;
  if (Object.hasOwn(defaults, key)) {
    return defaults[key]!;
  }
  return field.message !== undefined && textReader(field.message, false) === undefined ? {} : null;
}

/** A response message as it is sent. */
export interface EncodedResponse {
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** Undefined if the handler wrote JSON that did not have to be decoded. */
  readonly message: Message | undefined;
}

/** Converts a handler's response into the client's. */
export interface ResponseEncoder {
  readonly encode: (message: Uint8Array) => EncodedResponse;
  /** Whether the response is the content of a google.api.HttpBody instead of JSON. */
  readonly isRaw: boolean;
}

const JSON_TYPE = "application/json";

/** Whether a response of the binding must be decoded, so that handlers write the binary format. */
export function needsDecoding({ responseField, method: { output } }: Binding): boolean {
  return responseField !== undefined || isHttpBody(output) || omitUnsetInputs(output, {}) !== undefined;
}

/** Compiles the encoder for responses in the codec. */
export function responseEncoder(
  binding: Binding,
  codec: "json" | "proto",
  jsonOptions: ResponseJsonOptions,
): ResponseEncoder {
  const { output } = binding.method;
  const field = binding.responseField;
  if (codec === "json") {
    return { encode: (bytes) => ({ contentType: JSON_TYPE, bytes, message: undefined }), isRaw: false };
  }
  const bodyDesc = field === undefined ? output : field.fieldKind === "message" ? field.message : undefined;
  if (bodyDesc !== undefined && isHttpBody(bodyDesc)) {
    const encode = (bytes: Uint8Array): EncodedResponse => {
      const message = fromBinary(output, bytes);
      const body = field === undefined ? message : (reflect(output, message).get(field) as ReflectMessage).message;
      const { contentType, data } = readHttpBody(bodyDesc, body);
      return { contentType: contentType || "application/octet-stream", bytes: data, message };
    };
    return { encode, isRaw: true };
  }
  const omitUnset = jsonOptions.alwaysEmitImplicit ? omitUnsetInputs(output, jsonOptions) : undefined;
  const toValue = (message: Message): JsonValue => {
    if (field !== undefined) {
      return fieldToJson(output, message, field, jsonOptions);
    }
    const json = toJson(output, message, jsonOptions);
    omitUnset?.(json);
    return json;
  };
  return {
    encode: (bytes) => {
      const message = fromBinary(output, bytes);
      return { contentType: JSON_TYPE, bytes: Buffer.from(JSON.stringify(toValue(message))), message };
    },
    isRaw: false,
  };
}

/**
 * Compiles the removal of empty INPUT_ONLY lists (AIP-203) from a message's JSON. `alwaysEmitImplicit` prints them,
 * although answers never have them.
 *
 * @param around the messages that this one is part of: a message that contains itself is looked into once.
 * @returns undefined if the message has none.
 */
function omitUnsetInputs(
  desc: DescMessage,
  options: ResponseJsonOptions,
  around: readonly DescMessage[] = [],
): ((json: JsonValue) => void) | undefined {
  const steps: Array<(json: JsonObject) => void> = [];
  for (const field of desc.fields) {
    const name = options.useProtoFieldName ? field.name : field.jsonName;
    if (field.fieldKind === "list" && getOption(field, fieldBehavior).includes(FieldBehavior.INPUT_ONLY)) {
      steps.push((json) => {
        const list = json[name];
        if (Array.isArray(list) && list.length === 0) {
          delete json[name];
        }
      });
    } else if (field.message !== undefined && field.fieldKind !== "map" && ![desc, ...around].includes(field.message)) {
      const inner = omitUnsetInputs(field.message, options, [desc, ...around]);
      if (inner !== undefined) {
        steps.push((json) => [json[name] ?? []].flat().forEach(inner));
      }
    }
  }
  if (steps.length === 0) {
    return undefined;
  }
  return (json) => {
    if (typeof json === "object" && json !== null && !Array.isArray(json)) {
      for (const step of steps) {
        step(json);
      }
    }
  };
}

/** Headers of the in-process call that do not fit the REST response. */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "connect-accept-encoding",
  "connect-content-encoding",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "keep-alive",
  "transfer-encoding",
]);

/** The headers and trailers of a handler that a response repeats, each Set-Cookie by itself. */
export function copiedHeaders(header: Headers | undefined): [name: string, value: string][] {
  return [...(header ?? [])].filter(([name]) => !NOT_COPIED.has(name));
}
