import type { DescEnum } from "@bufbuild/protobuf";
import { Mismatch } from "./mismatch.ts";

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
