import { type JsonScan, scanJson } from "./scan-json.ts";

/** Result of parseJson(). */
export interface ParsedJson extends Pick<JsonScan, "duplicates" | "excess"> {
  /** Undefined where the text was not parsed: it has an excess, or so many duplicates that no more are looked for. */
  readonly value: unknown;
}

/**
 * Parses JSON text within the bounds of checkLimits. Integers that a double cannot hold come as bigint. Throws the
 * SyntaxError of JSON.parse().
 */
export function parseJson(text: string): ParsedJson {
  // Before JSON.parse(), whose time is not linear in text with long keys, and whose reviver recurses.
  const { duplicates, excess, full, hasLongNumber } = scanJson(text);
  if (excess !== undefined || full) {
    return { value: undefined, duplicates, excess };
  }
  // A reviver makes parsing several times slower, so that only text with long numbers gets it.
  const value: unknown = hasLongNumber ? JSON.parse(text, keepLongIntegers) : JSON.parse(text);
  return { value, duplicates, excess };
}

function keepLongIntegers(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    // Node 20 gives no source: the rounded number is the best that it has.
    const source = context?.source;
    return source !== undefined && /^-?\d{16,40}$/.test(source) ? BigInt(source) : value;
  }
  return value;
}
