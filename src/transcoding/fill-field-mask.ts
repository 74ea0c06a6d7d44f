import type { DescField, DescMessage, JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Binding } from "./binding.ts";
import { messageFields } from "./message-fields.ts";
import { textReader } from "./text-reader.ts";

/**
 * For PATCH with a message in the body and a request that has a single google.protobuf.FieldMask: returns a function
 * that sets this mask, unless it is set, to the fields that the body has. Undefined for every other binding.
 */
export function fieldMaskFiller(binding: Binding): ((request: JsonObject, body: JsonValue) => void) | undefined {
  const masks = binding.method.input.fields.filter((field) => field.message?.typeName === "google.protobuf.FieldMask");
  const mask = masks[0];
  const target = typeof binding.body === "object" && binding.body.fieldKind === "message" ? binding.body.message : null;
  if (binding.httpMethod !== "PATCH" || masks.length !== 1 || mask?.fieldKind !== "message" || !target) {
    return undefined;
  }
  return (request, body) => {
    if (!Object.hasOwn(request, mask.jsonName)) {
      request[mask.jsonName] = [...leafPaths(target, body as JsonObject)].join(",");
    }
  };
}

function* leafPaths(desc: DescMessage, json: JsonObject, prefix = ""): Generator<string> {
  for (const [key, value] of Object.entries(json)) {
    const field = messageFields(desc).get(key);
    if (field !== undefined) {
      const path = prefix + field.jsonName;
      if (isNested(field)) {
        yield* leafPaths(field.message, value as JsonObject, `${path}.`);
      } else {
        yield path;
      }
    }
  }
}

function isNested(field: DescField): field is DescField & { fieldKind: "message" } {
  return (
    field.fieldKind === "message" && field.message.fields.length > 0 && textReader(field.message, false) === undefined
  );
}
