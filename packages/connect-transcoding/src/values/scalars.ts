import type { DescEnum } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";

/** Why a value is not valid for a field. */
export class Mismatch {
  /** A valid value, as a noun phrase: "an integer from 0 to 4294967295". */
  readonly expected: string;
  /** The values that are allowed, where they can be listed. */
  readonly allowed: readonly string[] | undefined;

  constructor(expected: string, allowed?: readonly string[]) {
    this.expected = expected;
    this.allowed = allowed;
  }
}

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

/** Readers for one enum. They return the value's number. */
export interface EnumReader {
  /** Reads the name of a value, or a number as text. */
  readonly fromText: (text: string) => number | Mismatch;
  /** Reads the name of a value, or a JSON number. Null counts as google.protobuf.NullValue. */
  readonly fromJson: (json: unknown) => number | Mismatch;
  /** Whether the JSON value is a string that names no value: older readers may drop such a value. */
  readonly isUnknownName: (json: unknown) => boolean;
  /** What a value must be. */
  readonly mismatch: Mismatch;
}

/** Returns the readers of an enum. An open enum (proto3) takes numbers without a name. */
export function enumReader(desc: DescEnum): EnumReader {
  const names = new Map<string, number>();
  for (const value of desc.values) {
    names.set(value.name, value.number);
  }
  const allowed = desc.values.map((value) => value.name);
  const mismatch = new Mismatch(`one of the values of ${desc.name}`, allowed);
  const isNullValue = desc.typeName === "google.protobuf.NullValue";

  const fromNumber = (value: number) => {
    const known = desc.open || desc.value[value] !== undefined;
    return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31 && known ? value : mismatch;
  };
  const fromText = (text: string) =>
    names.get(text) ?? (/^-?\d{1,10}$/.test(text) ? fromNumber(Number(text)) : mismatch);
  const fromJson = (json: unknown) => {
    if (typeof json === "string") {
      return names.get(json) ?? mismatch;
    }
    if (json === null && isNullValue) {
      return 0;
    }
    return typeof json === "number" ? fromNumber(json) : mismatch;
  };
  return { fromText, fromJson, isUnknownName: (json) => typeof json === "string" && !names.has(json), mismatch };
}
