import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Binding } from "../http-rule/binding.ts";
import { messageFields } from "../validation/field-names.ts";
import { nullIsValue } from "../validation/json-validator.ts";
import { textReader } from "../values/readers.ts";

/**
 * Sets a field in the JSON form of a message; `fields` is its path from the root. A value for a list is appended, and a
 * value for a map becomes its `entry`. Missing objects on the path are created, and existing keys keep their spelling.
 * The existing JSON must have passed validation.
 */
export function setJsonField(root: JsonObject, fields: readonly DescField[], value: JsonValue, entry?: string): void {
  let holder = root;
  let key = "";
  for (const field of fields) {
    if (key !== "") {
      holder[key] ??= {};
      holder = holder[key] as JsonObject;
    }
    key = Object.hasOwn(holder, field.name) ? field.name : field.jsonName;
  }
  if (entry !== undefined) {
    holder[key] ??= {};
    // An assignment to __proto__ would not create an entry.
    Object.defineProperty(holder[key], entry, { value, enumerable: true, configurable: true, writable: true });
  } else if (fields.at(-1)?.fieldKind === "list") {
    holder[key] ??= [];
    (holder[key] as JsonValue[]).push(value);
  } else {
    holder[key] = value;
  }
}

/** Takes the fields of a PATCH body for the field mask. */
interface FieldMaskFiller {
  /** The fields in a body, also those that are null. The nulls are removed from the body, also within its messages. */
  takePaths(body: JsonObject): string[];
  /** Sets the mask of a request, unless it is set. */
  fill(request: JsonObject, paths: readonly string[]): void;
}

/**
 * For PATCH with a message in the body and a request with exactly one google.protobuf.FieldMask: fills the mask with the
 * fields in the body. A message in the body is named as a whole: only callers' own masks name fields within it.
 * Undefined for every other binding.
 */
export function fieldMaskFiller(binding: Binding): FieldMaskFiller | undefined {
  const masks = binding.method.input.fields.filter((field) => field.message?.typeName === "google.protobuf.FieldMask");
  const mask = masks[0];
  const target = typeof binding.body === "object" && binding.body.fieldKind === "message" ? binding.body.message : null;
  if (binding.httpMethod !== "PATCH" || masks.length !== 1 || mask?.fieldKind !== "message" || !target) {
    return undefined;
  }
  return {
    takePaths: (body) => takeFields(target, body),
    fill(request, paths) {
      if (!Object.hasOwn(request, mask.jsonName)) {
        request[mask.jsonName] = paths.join(",");
      }
    },
  };
}

function takeFields(desc: DescMessage, json: JsonObject): string[] {
  return Object.entries(json).flatMap(([key, value]) => {
    const field = messageFields(desc).get(key);
    if (field === undefined) {
      return [];
    }
    if (value === null && !nullIsValue(field)) {
      delete json[key];
    } else if (isNested(field) && isObject(value)) {
      takeFields(field.message, value);
    }
    return [field.jsonName];
  });
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function isNested(field: DescField): field is DescField & { fieldKind: "message" } {
  return (
    field.fieldKind === "message" && field.message.fields.length > 0 && textReader(field.message, false) === undefined
  );
}
