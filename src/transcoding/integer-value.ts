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

/** Longer text is out of every range, or has needless zeros; BigInt takes quadratic time for it. */
const MAX_TEXT_LENGTH = 100;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Readers for one integer type. They return what ProtoJSON writes: a number for 32 bits, a string for 64 bits. */
export interface IntegerReader {
  /** Reads digits with an optional minus sign, as a query parameter has them. */
  readonly fromText: (text: string) => number | string | Mismatch;
  /** Reads a JSON number or string; integers in exponent form count. A bigint is a number that was too long. */
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
