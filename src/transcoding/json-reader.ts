import { type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { base64Value } from "./base64-value.ts";
import { durationValue } from "./duration-value.ts";
import type { ElementType } from "./element-type.ts";
import { enumReader } from "./enum-value.ts";
import { fieldMaskValue } from "./field-mask-value.ts";
import { integerReader } from "./integer-value.ts";
import { Mismatch } from "./mismatch.ts";
import { numberReader } from "./number-value.ts";
import { timestampValue } from "./timestamp-value.ts";

/** Checks a JSON value and returns it in the spelling that protobuf-es takes. */
export type JsonReader = (json: unknown) => JsonValue | Mismatch;

/**
 * Returns the reader of a type whose ProtoJSON form is a single value: scalars, enums, Timestamp, Duration, FieldMask.
 * Undefined for other messages.
 */
export function jsonReader(type: ElementType, finiteOnly: boolean): JsonReader | undefined {
  if (typeof type === "object") {
    return type.kind === "enum" ? enumReader(type).fromJson : MESSAGES.get(type.typeName);
  }
  switch (type) {
    case ScalarType.STRING:
      return string;
    case ScalarType.BOOL:
      return boolean;
    case ScalarType.BYTES:
      return bytes;
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return numberReader(type, finiteOnly).fromJson;
    default:
      return integerReader(type)?.fromJson;
  }
}

const STRING = new Mismatch("a string");

function string(json: unknown): string | Mismatch {
  // Half a surrogate pair cannot be written as UTF-8.
  return typeof json === "string" && json.isWellFormed() ? json : STRING;
}

function boolean(json: unknown): boolean | Mismatch {
  return typeof json === "boolean" ? json : new Mismatch("true or false");
}

function ofString(read: (text: string) => string | Mismatch): JsonReader {
  // "?" is right for none of them, so that the mismatch says what would be.
  return (json) => read(typeof json === "string" ? json : "?");
}

const bytes = ofString(base64Value);

const MESSAGES: ReadonlyMap<string, JsonReader> = new Map([
  ["google.protobuf.Timestamp", ofString(timestampValue)],
  ["google.protobuf.Duration", ofString(durationValue)],
  ["google.protobuf.FieldMask", ofString(fieldMaskValue)],
]);
