import type { DescField, JsonObject, JsonValue } from "@bufbuild/protobuf";

/**
 * Sets a field in the JSON form of a message; `fields` leads there from the root. A value for a list is appended, and
 * a value for a map becomes its `entry`. Objects on the way are made if they are missing, and keys that are there in
 * either spelling are kept. What is there must have passed validation.
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
    // An assignment to __proto__ would not make an entry.
    Object.defineProperty(holder[key], entry, { value, enumerable: true, configurable: true, writable: true });
  } else if (fields.at(-1)?.fieldKind === "list") {
    holder[key] ??= [];
    (holder[key] as JsonValue[]).push(value);
  } else {
    holder[key] = value;
  }
}
