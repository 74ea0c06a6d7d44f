import { ScalarType } from "@bufbuild/protobuf";
import { Mismatch } from "./mismatch.ts";

const INT32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const UINT32 = [0n, 2n ** 32n - 1n] as const;
const INT64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const UINT64 = [0n, 2n ** 64n - 1n] as const;

const RANGES: ReadonlyMap<ScalarType, readonly [min: bigint, max: bigint]> = new Map([
  [ScalarType.INT32, INT32],
  [ScalarType.SINT32, INT32],
  [ScalarType.SFIXED32, INT32],
  [ScalarType.UINT32, UINT32],
  [ScalarType.FIXED32, UINT32],
  [ScalarType.INT64, INT64],
  [ScalarType.SINT64, INT64],
  [ScalarType.SFIXED64, INT64],
  [ScalarType.UINT64, UINT64],
  [ScalarType.FIXED64, UINT64],
]);

/** Longer text is out of every range, or has needless zeros, and BigInt reads it in quadratic time. */
const MAX_TEXT_LENGTH = 100;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Readers for one integer type. They return what ProtoJSON writes: a number for 32 bits, a string for 64 bits. */
export interface IntegerReader {
  /** Reads digits with an optional minus sign, as a query parameter has them. */
  readonly fromText: (text: string) => number | string | Mismatch;
  /** Reads a JSON number or string, also an integer in exponent form. A bigint is a number too long for a double. */
  readonly fromJson: (json: unknown) => number | string | Mismatch;
}

/** Returns the readers of an integer type, undefined for other scalar types. */
export function integerReader(type: ScalarType): IntegerReader | undefined {
  const range = RANGES.get(type);
  if (range === undefined) {
    return undefined;
  }
  const [min, max] = range;
  const long = max > UINT32[1];
  const smallest = Number(min);
  const greatest = Number(max);
  const mismatch = new Mismatch(`an integer from ${min} to ${max}`);

  const fromBigInt = (value: bigint) => {
    if (value < min || value > max) {
      return mismatch;
    }
    return long ? value.toString() : Number(value);
  };
  const fromNumber = (value: number) => {
    if (!Number.isInteger(value)) {
      return mismatch;
    }
    if (!long || Number.isSafeInteger(value)) {
      return value >= smallest && value <= greatest ? value : mismatch;
    }
    return fromBigInt(BigInt(value));
  };
  const fromText = (text: string) =>
    text.length <= MAX_TEXT_LENGTH && /^-?\d+$/.test(text) ? fromBigInt(BigInt(text)) : mismatch;
  const fromJson = (json: unknown) => {
    if (typeof json === "number") {
      return fromNumber(json);
    }
    if (typeof json === "string") {
      const exact = fromText(json);
      if (exact !== mismatch || !NUMBER.test(json)) {
        return exact;
      }
      const value = Number(json);
      return Number.isSafeInteger(value) ? fromNumber(value) : mismatch;
    }
    return typeof json === "bigint" ? fromBigInt(json) : mismatch;
  };
  return { fromText, fromJson };
}

const MAX_FLOAT = 3.4028234663852886e38;

/** Readers for float or double. They return a number, or ProtoJSON's text for NaN and the infinities. */
export interface NumberReader {
  /** Reads a number as JSON writes it, or "NaN", "Infinity", "-Infinity". */
  readonly fromText: (text: string) => number | string | Mismatch;
  /** Reads a JSON number, or a string as fromText does. */
  readonly fromJson: (json: unknown) => number | string | Mismatch;
}

/** Returns the readers of float or double; with `finiteOnly` they refuse "NaN", "Infinity" and "-Infinity". */
export function numberReader(type: ScalarType.FLOAT | ScalarType.DOUBLE, finiteOnly: boolean): NumberReader {
  const max = type === ScalarType.FLOAT ? MAX_FLOAT : Number.MAX_VALUE;
  const mismatch = new Mismatch(type === ScalarType.FLOAT ? "a number (32-bit float)" : "a number");
  const fromNumber = (value: number) => (Math.abs(value) <= max ? value : mismatch);
  const fromText = (text: string) => {
    if (text === "NaN" || text === "Infinity" || text === "-Infinity") {
      return finiteOnly ? mismatch : text;
    }
    return NUMBER.test(text) ? fromNumber(Number(text)) : mismatch;
  };
  const fromJson = (json: unknown) => {
    if (typeof json === "number") {
      return fromNumber(json);
    }
    if (typeof json === "bigint") {
      return fromNumber(Number(json));
    }
    return typeof json === "string" ? fromText(json) : mismatch;
  };
  return { fromText, fromJson };
}

const MISMATCH = new Mismatch("base64");

/** Checks base64 in either alphabet, with or without padding, and returns it in the standard form. */
export function base64Value(text: string): string | Mismatch {
  const match = /^([A-Za-z0-9+/_-]*)(={0,2})$/.exec(text);
  if (match === null) {
    return MISMATCH;
  }
  const digits = match[1]!.length;
  const padded = match[2] !== "";
  if (digits % 4 === 1 || (padded && text.length % 4 !== 0)) {
    return MISMATCH;
  }
  // Rewritten only where necessary, because bodies may carry megabytes of it.
  const standard = /[-_]/.test(text) ? text.replaceAll("-", "+").replaceAll("_", "/") : text;
  return padded ? standard : standard + "=".repeat((4 - (digits % 4)) % 4);
}
