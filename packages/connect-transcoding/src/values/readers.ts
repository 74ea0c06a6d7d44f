import { type DescEnum, type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { base64Value, enumReader, integerReader, Mismatch, numberReader } from "./scalars.ts";

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

const MAX_SECONDS = 315_576_000_000;
const NO_DURATION = new Mismatch('a duration in seconds, such as "1.5s"');

/** Checks the text of a google.protobuf.Duration (about 10,000 years either way) and returns it unchanged. */
export function durationValue(text: string): string | Mismatch {
  const match = /^-?(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text);
  if (match === null) {
    return NO_DURATION;
  }
  const seconds = Number(match[1]);
  const beyond = seconds > MAX_SECONDS || (seconds === MAX_SECONDS && Number(match[2] ?? 0) > 0);
  return beyond ? NO_DURATION : text;
}

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-](\d\d):(\d\d))$/;
const NO_TIMESTAMP = new Mismatch('an RFC 3339 time from year 1 to 9999, such as "2026-01-31T12:00:00Z"');
const MIN_MS = Date.parse("0001-01-01T00:00:00Z");
const MAX_MS = Date.parse("9999-12-31T23:59:59.999Z");

/** Checks the text of a google.protobuf.Timestamp and returns it unchanged. */
export function timestampValue(text: string): string | Mismatch {
  const match = PATTERN.exec(text);
  if (match === null) {
    return NO_TIMESTAMP;
  }
  const [year, month, day, hour, minute, second, offsetHour = 0, offsetMinute = 0] = match
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part))) as [number, number, number, number, number, number];
  const valid =
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysInMonth(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59 &&
    Number(offsetHour) <= 23 &&
    Number(offsetMinute) <= 59;
  if (!valid) {
    return NO_TIMESTAMP;
  }
  const ms = Date.parse(text.replace(/\.\d+/, ""));
  return ms >= MIN_MS && ms <= MAX_MS ? text : NO_TIMESTAMP;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) {
    return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const NO_FIELD_MASK = new Mismatch('field paths separated by commas, such as "title,author.name"');
const PATH = /^(?:\*|[A-Za-z_]\w*(?:\.(?:\*|[A-Za-z_]\w*))*)$/;

/**
 * Checks the text of a google.protobuf.FieldMask, with paths in snake_case or lowerCamelCase, and returns it in
 * lowerCamelCase. `*` is allowed as a path and as a step of a path. Refuses the few snake_case names that have no
 * camelCase form (`a_1`), because ProtoJSON cannot carry them.
 */
export function fieldMaskValue(text: string): string | Mismatch {
  if (text === "") {
    return text;
  }
  const paths = text.split(",").map((path) => path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
  return paths.every((path) => PATH.test(path) && !path.includes("_")) ? paths.join(",") : NO_FIELD_MASK;
}
