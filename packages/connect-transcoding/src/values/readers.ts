import { type DescEnum, type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { base64Value, enumReader, integerReader, Mismatch, numberReader } from "./scalars.ts";
import { durationValue, fieldMaskValue, timestampValue } from "./well-known.ts";

/** The type of a field's value: of its elements for a list, of its values for a map. */
export type ElementType = ScalarType | DescEnum | DescMessage;

/** Checks a JSON value and returns it in the form that protobuf-es takes. */
export type JsonReader = (json: unknown) => JsonValue | Mismatch;

/** Reads the text of a path variable or query parameter into the JSON value that protobuf-es takes for it. */
export type TextReader = (text: string) => JsonValue | Mismatch;

/** The readers of one type, for JSON and for text. A form that the type does not have is absent. */
interface Readers {
  readonly fromJson?: JsonReader;
  readonly fromText?: TextReader;
}

/** Returns the element type of a field. The wrappers of google.protobuf count as the scalars that they wrap. */
export function elementType(field: DescField): ElementType {
  const type = field.message ?? field.enum ?? field.scalar ?? ScalarType.STRING;
  return typeof type === "object" && type.kind === "message" && isWrapperDesc(type)
    ? (type.fields[0]?.scalar ?? type)
    : type;
}

/**
 * Returns the reader of a type whose ProtoJSON form is a single value: scalars, enums, Timestamp, Duration, FieldMask.
 * Undefined for other messages.
 */
export function jsonReader(type: ElementType, finiteOnly: boolean): JsonReader | undefined {
  return readersOf(type, finiteOnly)?.fromJson;
}

/**
 * Returns the reader of a type, undefined for messages that have no text form. The text is strict ProtoJSON without
 * quotes; Struct, Value and ListValue are read as JSON text.
 */
export function textReader(type: ElementType, finiteOnly: boolean): TextReader | undefined {
  return readersOf(type, finiteOnly)?.fromText;
}

function readersOf(type: ElementType, finiteOnly: boolean): Readers | undefined {
  if (typeof type === "object") {
    return type.kind === "enum" ? enumReader(type) : MESSAGES.get(type.typeName);
  }
  switch (type) {
    case ScalarType.STRING:
      return STRING;
    case ScalarType.BOOL:
      return BOOLEAN;
    case ScalarType.BYTES:
      return ofText(base64Value);
    case ScalarType.FLOAT:
    case ScalarType.DOUBLE:
      return numberReader(type, finiteOnly);
    default:
      return integerReader(type);
  }
}

const NO_STRING = new Mismatch("a string");
const NO_BOOLEAN = new Mismatch("true or false");

const STRING: Readers = {
  // A lone surrogate cannot be written as UTF-8.
  fromJson: (json) => (typeof json === "string" && json.isWellFormed() ? json : NO_STRING),
  fromText: (text) => text,
};

const BOOLEAN: Readers = {
  fromJson: (json) => (typeof json === "boolean" ? json : NO_BOOLEAN),
  fromText: (text) => text === "true" || (text === "false" ? false : NO_BOOLEAN),
};

/** The readers of a type whose JSON form is a string equal to its text form. */
function ofText(fromText: (text: string) => string | Mismatch): Readers {
  // "?" is valid for none of these types, so `fromText` answers with its own mismatch.
  return { fromText, fromJson: (json) => fromText(typeof json === "string" ? json : "?") };
}

/** The readers of a type that takes any JSON. A query parameter has it as JSON text. */
function ofJsonText(expected: string, accepts: (value: JsonValue) => boolean): Readers {
  const mismatch = new Mismatch(expected);
  return {
    fromText: (text) => {
      try {
        const value = JSON.parse(text) as JsonValue;
        return accepts(value) ? value : mismatch;
      } catch {
        // The position of a syntax error does not help in a query parameter.
        return mismatch;
      }
    },
  };
}

function isJsonObject(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const MESSAGES: ReadonlyMap<string, Readers> = new Map([
  ["google.protobuf.Timestamp", ofText(timestampValue)],
  ["google.protobuf.Duration", ofText(durationValue)],
  ["google.protobuf.FieldMask", ofText(fieldMaskValue)],
  ["google.protobuf.Value", ofJsonText("JSON text", () => true)],
  ["google.protobuf.ListValue", ofJsonText("a JSON list", Array.isArray)],
  ["google.protobuf.Struct", ofJsonText("a JSON object", isJsonObject)],
]);
