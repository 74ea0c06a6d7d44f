import type { Data, RecordBatch } from "apache-arrow";
import { DataType } from "../table/arrow.ts";
import type { Condition } from "../table/filter.ts";

/** One bit for each row; bit i of word i / 32 is row i's. */
export type RowMask = Uint32Array;

/** The most conditions whose rows are kept. Callers choose them. */
const KEPT_MASKS = 200;

/** The columns of all rows that conditions read, as compact arrays. Rows are numbered from 0. */
export class RowFilter {
  readonly #size: number;
  readonly #columns = new Map<string, Column>();
  #rows = 0;
  readonly #masks = new Map<string, RowMask>();

  /** @param size the number of rows. */
  constructor(size: number) {
    this.#size = size;
  }

  /** Adds the next rows. @param names the columns to keep. */
  add(batch: RecordBatch, names: readonly string[]): void {
    for (const name of names) {
      const data = batch.getChild(name)?.data[0] as Data;
      let column = this.#columns.get(name);
      if (column === undefined) {
        column = isNumeric(data) ? { numbers: new Float64Array(this.#size).fill(Number.NaN) } : { rowsOf: new Map() };
        this.#columns.set(name, column);
      }
      read(data, column, this.#rows);
    }
    this.#rows += batch.numRows;
  }

  /** The rows that meet all conditions; undefined without a condition. */
  mask(conditions: readonly Condition[]): RowMask | undefined {
    const [first, ...others] = conditions.map((condition) => this.#maskOf(condition));
    if (first === undefined || others.length === 0) {
      return first;
    }
    const mask = first.slice();
    for (const other of others) {
      for (let i = 0; i < mask.length; i++) {
        mask[i] = (mask[i] as number) & (other[i] as number);
      }
    }
    return mask;
  }

  #maskOf(condition: Condition): RowMask {
    const name = JSON.stringify(condition);
    let mask = this.#masks.get(name);
    if (mask === undefined) {
      mask = this.#find(condition);
      if (this.#masks.size >= KEPT_MASKS) {
        this.#masks.clear();
      }
      this.#masks.set(name, mask);
    }
    return mask;
  }

  #find(condition: Condition): RowMask {
    const mask = new Uint32Array(Math.ceil(this.#size / 32));
    if (this.#size === 0) {
      // Nothing was added, so that no column is known.
      return mask;
    }
    const column = this.#columns.get(condition.column);
    if (column === undefined) {
      throw new Error(`conditions on the column ${condition.column} are not known here`);
    }
    if ("rowsOf" in column) {
      for (const value of condition.is === "havingAny" ? condition.value : [condition.value]) {
        for (const row of column.rowsOf.get(String(value)) ?? []) {
          set(mask, row);
        }
      }
      return mask;
    }
    const bound = condition.value as number;
    for (let row = 0; row < this.#size; row++) {
      const found = column.numbers[row] as number;
      // NaN, an unknown number, is on neither side.
      if (condition.is === "atMost" ? found <= bound : found >= bound) {
        set(mask, row);
      }
    }
    return mask;
  }
}

/** Whether a mask has a row. */
export function hasRow(mask: RowMask, row: number): boolean {
  return (((mask[row >>> 5] as number) >>> (row & 31)) & 1) === 1;
}

function set(mask: RowMask, row: number): void {
  mask[row >>> 5] = (mask[row >>> 5] as number) | (1 << (row & 31));
}

/** A number for each row, NaN if unknown; or the rows that have a text, or "true". */
type Column = { numbers: Float64Array } | { rowsOf: Map<string, number[]> };

function isNumeric({ type }: Data): boolean {
  return DataType.isFloat(type) || DataType.isInt(type);
}

/** Reads the values of a batch. `first` is the number of its first row. */
function read(data: Data, column: Column, first: number): void {
  const isList = DataType.isList(data.type);
  const isBool = DataType.isBool(data.type);
  const texts = (isList ? data.children[0] : data) as Data;
  for (let row = 0; row < data.length; row++) {
    if (!data.getValid(row)) {
      continue;
    }
    if ("numbers" in column) {
      column.numbers[first + row] = data.values[row];
    } else if (isBool) {
      if (bitOf(data.values, data.offset + row)) {
        addTo(column.rowsOf, "true", first + row);
      }
    } else {
      const until = isList ? data.valueOffsets[row + 1] : row + 1;
      for (let item = isList ? data.valueOffsets[row] : row; item < until; item++) {
        addTo(column.rowsOf, textOf(texts, item), first + row);
      }
    }
  }
}

function addTo(rowsOf: Map<string, number[]>, value: string, row: number): void {
  const rows = rowsOf.get(value);
  if (rows === undefined) {
    rowsOf.set(value, [row]);
  } else {
    rows.push(row);
  }
}

function bitOf(bytes: Uint8Array, place: number): boolean {
  return (((bytes[place >> 3] as number) >> (place & 7)) & 1) === 1;
}

/** The text at a place of a column of texts. */
export function textOf({ values, valueOffsets }: Data, place: number): string {
  const from = values.byteOffset + valueOffsets[place];
  return Buffer.from(values.buffer, from, valueOffsets[place + 1] - valueOffsets[place]).toString("utf8");
}
