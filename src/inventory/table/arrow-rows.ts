import type { Table as ArrowTable, Data, DataType } from "apache-arrow";
import { createYieldToEventLoop } from "../../pace/index.ts";
import {
  Bool,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  List,
  makeData,
  RecordBatch,
  Struct,
  Table,
  Utf8,
} from "./arrow.ts";
import { inventorySchema } from "./schema.ts";

/**
 * Converts rows to an Arrow table, column by column, for the types of the inventory's columns. Arrow's own builders
 * convert each value, which costs as much as making the rows. Yields so that a server can answer.
 *
 * @param rows from `modelRow`.
 * @param dimensions the length of their vectors.
 */
export async function rowsTable(rows: ReadonlyArray<Record<string, unknown>>, dimensions: number): Promise<ArrowTable> {
  const schema = inventorySchema(dimensions);
  const yieldToEventLoop = createYieldToEventLoop();
  const children: Data[] = [];
  for (const { name, type } of schema.fields) {
    const values = rows.map((row) => row[name]);
    children.push(columnData(type, values));
    await yieldToEventLoop();
  }
  const type = new Struct(schema.fields);
  return new Table(schema, [new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }))]);
}

function columnData(type: DataType, values: readonly unknown[]): Data {
  const { length } = values;
  const validity = validityOf(values);
  if (type instanceof Utf8) {
    return makeData({ type, length, ...validity, ...utf8(values as Array<string | null>) });
  }
  if (type instanceof Bool) {
    return makeData({ type, length, ...validity, data: bits(values, Boolean) });
  }
  if (type instanceof Float64) {
    return makeData({ type, length, ...validity, data: Float64Array.from(values as number[], orZero) });
  }
  if (type instanceof Int32) {
    return makeData({ type, length, ...validity, data: Int32Array.from(values as number[], orZero) });
  }
  if (type instanceof List && type.valueType instanceof Utf8) {
    const lists = values as string[][];
    const valueOffsets = new Int32Array(length + 1);
    for (const [i, list] of lists.entries()) {
      valueOffsets[i + 1] = (valueOffsets[i] as number) + list.length;
    }
    return makeData({ type, length, ...validity, valueOffsets, child: columnData(type.valueType, lists.flat()) });
  }
  if (type instanceof FixedSizeList && type.valueType instanceof Float32) {
    const data = new Float32Array(length * type.listSize);
    for (const [i, vector] of (values as Float32Array[]).entries()) {
      data.set(vector, i * type.listSize);
    }
    const child = makeData({ type: new Float32(), length: data.length, nullCount: 0, data });
    return makeData({ type, length, ...validity, child });
  }
  throw new Error(`The inventory has no columns of ${type}`);
}

const orZero = (value: number | null) => value ?? 0;

function validityOf(values: readonly unknown[]): { nullCount: number; nullBitmap?: Uint8Array } {
  let nullCount = 0;
  for (const value of values) {
    if (value === null) {
      nullCount++;
    }
  }
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap: bits(values, (value) => value !== null) };
}

/** Packs one bit for each value; the first of eight is the lowest. */
function bits(values: readonly unknown[], isSet: (value: unknown) => boolean): Uint8Array {
  // Arrow requires whole words of 64 bits.
  const bytes = new Uint8Array(Math.ceil(values.length / 64) * 8);
  for (const [i, value] of values.entries()) {
    if (isSet(value)) {
      bytes[i >> 3] = (bytes[i >> 3] as number) | (1 << (i & 7));
    }
  }
  return bytes;
}

function utf8(values: ReadonlyArray<string | null>): { valueOffsets: Int32Array; data: Uint8Array } {
  const valueOffsets = new Int32Array(values.length + 1);
  let end = 0;
  for (const [i, value] of values.entries()) {
    if (value !== null) {
      end += Buffer.byteLength(value);
    }
    valueOffsets[i + 1] = end;
  }
  const data = Buffer.allocUnsafe(end);
  for (const [i, value] of values.entries()) {
    if (value !== null) {
      data.write(value, valueOffsets[i] as number);
    }
  }
  return { valueOffsets, data };
}
