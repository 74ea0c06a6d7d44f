import { scanJson } from "./scan-json.ts";

/** Result of parseJson(). */
export interface ParsedJson {
  readonly value: unknown;
  /** Paths of the object keys that stand twice; JSON.parse() would keep the last one silently. */
  readonly duplicates: readonly string[];
}

/** Parses JSON text. Integers that a double cannot hold come as bigint. Throws the SyntaxError of JSON.parse(). */
export function parseJson(text: string): ParsedJson {
  const value: unknown = JSON.parse(text);
  const { duplicates, hasLongNumber } = scanJson(text);
  // A reviver makes parsing several times slower, so that only text with long numbers gets it.
  return { value: hasLongNumber ? JSON.parse(text, keepLongIntegers) : value, duplicates };
}

function keepLongIntegers(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    // Node 20 gives no source: the rounded number is the best that it has.
    const source = context?.source;
    return source !== undefined && /^-?\d{16,40}$/.test(source) ? BigInt(source) : value;
  }
  return value;
}
