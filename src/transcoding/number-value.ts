import { ScalarType } from "@bufbuild/protobuf";
import { Mismatch } from "./mismatch.ts";

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MAX_FLOAT = 3.4028234663852886e38;

/** Readers for float or double. They return a number, or the text that ProtoJSON has for what is no finite number. */
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
