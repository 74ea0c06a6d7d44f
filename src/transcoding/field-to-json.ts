import {
  create,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type JsonWriteOptions,
  type Message,
  type Registry,
  toJson,
} from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import { textReader } from "./text-reader.ts";

/** Options of the JSON in responses. */
export type ResponseJsonOptions = Partial<JsonWriteOptions> & { readonly registry?: Registry };

/**
 * The JSON form of one field of a message. Unset fields give what they mean: `[]`, `{}`, zero or the empty string,
 * `{}` for a message, and null for an optional scalar or a message that is written as a single value.
 */
export function fieldToJson(
  desc: DescMessage,
  message: Message,
  field: DescField,
  options: ResponseJsonOptions,
): JsonValue {
  // A message with nothing but the field, so that nothing else is written.
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
