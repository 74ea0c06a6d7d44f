import { isUtf8 } from "node:buffer";
import type { JsonValue } from "@bufbuild/protobuf";
import { checkLimits } from "../check-limits.ts";
import { fieldPath } from "../validation/field-violation.ts";
import type { JsonValidator } from "../validation/json-validator.ts";
import type { FieldProblem } from "../validation/problems.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ZERO = 0x30;
const NINE = 0x39;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** A double holds every integer of fewer digits. */
const LONG = 16;
const FEW = 16;

interface Level {
  /** The keys of an object. Undefined in a list. */
  keys: string[] | Set<string> | undefined;
  /** The keys that were recorded as duplicates. */
  repeated: Set<string> | undefined;
  /** The key or index that the scan is at. */
  at: string | number;
}

/** What JSON.parse() does not report about JSON text. */
interface JsonScan {
  /** The paths (`a.b[0].c`) of duplicate object keys, each once, up to the limit. */
  readonly duplicates: readonly string[];
  /** Whether a number has more digits than a double can hold. */
  readonly hasLongNumber: boolean;
  /** The place where the text exceeds a limit, and what would be right. The scan ended there. */
  readonly excess: { readonly field: string; readonly expected: string } | undefined;
  /** Whether the scan ended because the limit of duplicates was reached. */
  readonly full: boolean;
}

/**
 * Scans JSON text before JSON.parse() gets it, in one pass and without recursion. Invalid JSON is left to JSON.parse().
 */
export function scanJson(text: string): JsonScan {
  const duplicates: string[] = [];
  const stack: Level[] = [];
  let level: Level | undefined;
  let expectsKey = false;
  let digits = 0;
  let maxDigits = 0;

  const result = (expected?: string): JsonScan => ({
    duplicates,
    hasLongNumber: Math.max(digits, maxDigits) >= LONG,
    excess: expected === undefined ? undefined : { field: pathTo(stack), expected },
    full: duplicates.length >= checkLimits.problemsNoted,
  });

  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char >= ZERO && char <= NINE) {
      digits++;
      continue;
    }
    if (digits > maxDigits) {
      maxDigits = digits;
    }
    digits = 0;
    switch (char) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (stack.length >= checkLimits.depth) {
          return result(`at most ${checkLimits.depth} levels`);
        }
        expectsKey = char === OPEN_BRACE;
        level = { keys: expectsKey ? [] : undefined, repeated: undefined, at: expectsKey ? "" : 0 };
        stack.push(level);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        stack.pop();
        level = stack.at(-1);
        expectsKey = false;
        break;
      case COMMA:
        expectsKey = level?.keys !== undefined;
        if (typeof level?.at === "number") {
          level.at++;
        }
        break;
      case QUOTE: {
        const end = stringEnd(text, i);
        if (end < 0) {
          // An unterminated string is not JSON.
          return result();
        }
        if (expectsKey && level?.keys !== undefined) {
          expectsKey = false;
          if (end - i - 1 > checkLimits.keyCharacters) {
            level.at = text.slice(i + 1, i + 1 + checkLimits.keyCharacters);
            return result(`names of at most ${checkLimits.keyCharacters} characters`);
          }
          const key = readKey(text.slice(i + 1, end));
          if (key === undefined) {
            return result();
          }
          level.at = key;
          if (isKnown(level, key) && !level.repeated?.has(key)) {
            level.repeated ??= new Set();
            level.repeated.add(key);
            duplicates.push(pathTo(stack));
            if (duplicates.length >= checkLimits.problemsNoted) {
              return result();
            }
          }
        }
        i = end;
        break;
      }
    }
  }
  return result();
}

/** Decodes a key's escapes. Undefined if they are not valid JSON. */
function readKey(raw: string): string | undefined {
  if (!raw.includes("\\")) {
    return raw;
  }
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    // JSON.parse() reports it for the whole text.
    return undefined;
  }
}

/** Records a key of an object. A list is faster than a Set for the few keys that most objects have. */
function isKnown(level: Level, key: string): boolean {
  const keys = level.keys!;
  if (Array.isArray(keys)) {
    if (keys.includes(key)) {
      return true;
    }
    keys.push(key);
    if (keys.length > FEW) {
      level.keys = new Set(keys);
    }
    return false;
  }
  const known = keys.has(key);
  keys.add(key);
  return known;
}

/** Index of the quote that ends the string starting at `start`, or -1. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) {
    backslashes++;
  }
  return backslashes % 2 === 1;
}

function pathTo(stack: readonly Level[]): string {
  return fieldPath(stack.map(({ at }) => at));
}

/** Result of parseJson(). */
export interface ParsedJson extends Pick<JsonScan, "duplicates" | "excess"> {
  /** Undefined if the text was not parsed, because it exceeds a limit or has too many duplicates. */
  readonly value: unknown;
}

/**
 * Parses JSON text within the bounds of checkLimits. Integers that a double cannot hold come as bigint. Throws the
 * SyntaxError of JSON.parse().
 */
export function parseJson(text: string): ParsedJson {
  // Before JSON.parse(), because its time is not linear in text with long keys, and its reviver recurses.
  const { duplicates, excess, full, hasLongNumber } = scanJson(text);
  if (excess !== undefined || full) {
    return { value: undefined, duplicates, excess };
  }
  // A reviver makes parsing several times slower, so only text with long numbers gets it.
  const value: unknown = hasLongNumber ? JSON.parse(text, keepLongIntegers) : JSON.parse(text);
  return { value, duplicates, excess };
}

function keepLongIntegers(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    // Node 20 passes no source, so only the rounded number is available.
    const source = context?.source;
    return source !== undefined && /^-?\d{16,40}$/.test(source) ? BigInt(source) : value;
  }
  return value;
}

/**
 * Parses and validates a JSON body, which must not be empty. Adds its faults to `problems`; the returned value is then
 * only good for finding further problems.
 */
export function readJsonBody(
  body: Uint8Array,
  validate: JsonValidator,
  problems: FieldProblem[],
): JsonValue | undefined {
  if (!isUtf8(body)) {
    problems.push({ location: "body", field: "", kind: "syntax", expected: "a body in UTF-8" });
    return undefined;
  }
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  try {
    // RFC 8259 allows readers to skip a byte order mark, which some clients on Windows send.
    const parsed = parseJson(text.startsWith("\uFEFF") ? text.slice(1) : text);
    for (const field of parsed.duplicates) {
      problems.push({ location: "body", field, kind: "duplicate" });
    }
    if (parsed.excess !== undefined) {
      problems.push({ location: "body", kind: "value", ...parsed.excess });
    }
    if (parsed.value === undefined) {
      return undefined;
    }
    const { value, problems: found } = validate(parsed.value);
    problems.push(...found);
    return value ?? (found.length > 0 ? (parsed.value as JsonValue) : undefined);
  } catch (error) {
    if (!(error instanceof SyntaxError)) {
      throw error;
    }
    problems.push({ location: "body", field: "", kind: "syntax", expected: `a JSON body (${error.message})` });
    return undefined;
  }
}
