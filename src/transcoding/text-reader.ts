import { type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { base64Value } from "./base64-value.ts";
import { durationValue } from "./duration-value.ts";
import type { ElementType } from "./element-type.ts";
import { enumReader } from "./enum-value.ts";
import { fieldMaskValue } from "./field-mask-value.ts";
import { integerReader } from "./integer-value.ts";
import { Mismatch } from "./mismatch.ts";
import { numberReader } from "./number-value.ts";
import { scanJson } from "./scan-json.ts";
import { timestampValue } from "./timestamp-value.ts";

/** Reads the text of a path variable or query parameter into the JSON value that protobuf-es takes for it. */
export type TextReader = (text: string) => JsonValue | Mismatch;

/**
 * Returns the reader of a type, undefined for messages that have no text form. The text is strict ProtoJSON without
 * quotes; Struct, Value and ListValue are read as JSON text.
 */
export function textReader(type: ElementType, finiteOnly: boolean): TextReader | undefined {
  if (typeof type === "object") {
    return type.kind === "enum" ? enumReader(type).fromText : MESSAGES.get(type.typeName);
  }
  switch (type) {
    case ScalarType.STRING:
      return (text) => text;
    case ScalarType.BOOL:
      return boolean;
    case ScalarType.BYTES:
      return base64Value;
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return numberReader(type, finiteOnly).fromText;
    default:
      return integerReader(type)?.fromText;
  }
}

function boolean(text: string): boolean | Mismatch {
  return text === "true" || (text === "false" ? false : new Mismatch("true or false"));
}

function jsonText(expected: string, accepts: (value: JsonValue) => boolean): TextReader {
  const mismatch = new Mismatch(expected);
  return (text) => {
    const { excess } = scanJson(text);
    if (excess !== undefined) {
      return new Mismatch(excess.expected);
    }
    try {
      const value = JSON.parse(text) as JsonValue;
      return accepts(value) ? value : mismatch;
    } catch {
      // The position of a syntax error in a query parameter helps nobody.
      return mismatch;
    }
  };
}

const MESSAGES: ReadonlyMap<string, TextReader> = new Map([
  ["google.protobuf.Timestamp", timestampValue],
  ["google.protobuf.Duration", durationValue],
  ["google.protobuf.FieldMask", fieldMaskValue],
  ["google.protobuf.Value", jsonText("JSON text", () => true)],
  ["google.protobuf.ListValue", jsonText("a JSON list", Array.isArray)],
  [
    "google.protobuf.Struct",
    jsonText("a JSON object", (value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  ],
]);
