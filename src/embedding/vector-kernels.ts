import { readFileSync } from "node:fs";
import { type Kernels, plainKernels } from "./plain-kernels.ts";

const PAGE = 65_536;
/** Rows of matrices begin at a multiple of this many bytes, which is also what a step of `products` reads. */
const STEP = 64;
/** Rows that one step of `addRows` adds, and the bytes in which a row is picked. */
const ROWS_A_STEP = 4;
const PICK = 8;

/** Memory of zeros, and the kernels that compute in it. */
export interface KernelMemory {
  buffer: ArrayBuffer;
  kernels: Kernels;
}

let compiled: WebAssembly.Module | undefined;

/**
 * Gives the kernels memory of their own. V8 reserves some 10 GB of addresses for it, however small it is, so that it need
 * not check each access. Where the system does not allow that (`ulimit -v`), the kernels are those in JavaScript.
 */
export function openKernels(bytes: number): KernelMemory {
  compiled ??= new WebAssembly.Module(readFileSync(new URL("./vector-kernels.wasm", import.meta.url)));
  const pages = Math.ceil(bytes / PAGE);
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  } catch (error) {
    if (error instanceof RangeError) {
      return plainMemory(bytes);
    }
    throw error;
  }
  const { exports } = new WebAssembly.Instance(compiled, { "": { memory } });
  return { buffer: memory.buffer, kernels: exports as unknown as Kernels };
}

/** Ordinary memory, with the kernels in JavaScript. Their results are the same to the last bit. */
export function plainMemory(bytes: number): KernelMemory {
  const buffer = new ArrayBuffer(roundUp(bytes, STEP));
  return { buffer, kernels: plainKernels(buffer) };
}

/**
 * Makes matrices of zeros that share one memory of the kernels.
 *
 * @param shapes rows and width of each.
 */
export function createMatrices(shapes: ReadonlyArray<readonly [rows: number, width: number]>, open = openKernels) {
  const memory = open(shapes.reduce((bytes, [rows, width]) => bytes + layoutOf(rows, width).bytes, 0));
  let start = 0;
  return shapes.map(([rows, width]) => {
    const matrix = new Matrix(rows, width, memory, start);
    start += layoutOf(rows, width).bytes;
    return matrix;
  });
}

/** The bytes of a matrix's parts, in the order in which they follow each other, and of all together. */
function layoutOf(rows: number, width: number) {
  const rowBytes = roundUp(4 * width, STEP);
  const matrixBytes = rowBytes * rows;
  const productBytes = roundUp(4 * rows, STEP);
  const picks = roundUp(rows, ROWS_A_STEP);
  const bytes = matrixBytes + rowBytes + productBytes + roundUp(PICK * picks, STEP);
  return { matrixBytes, rowBytes, productBytes, picks, bytes };
}

/**
 * A matrix of 32-bit numbers in memory that the processor's instructions for several numbers at a time can read. They
 * add in another order than a loop does, so results differ from its results in the last bits.
 */
export class Matrix {
  readonly rows: number;
  readonly width: number;
  readonly #values: Float32Array;
  /** The numbers from one row to the next: the width, rounded up. */
  readonly #stride: number;
  readonly #kernels: Kernels;
  /** The numbers of one row: the vector of `products`, the sums of `addRows`. */
  readonly #row: Float32Array;
  /** A number for each row. */
  readonly #products: Float32Array;
  /** Factors and addresses of rows by turns, as two views of the same bytes. */
  readonly #factors: Float32Array;
  readonly #addresses: Int32Array;

  /** A matrix of zeros. @param start where its part of the memory begins, in bytes, a multiple of 64. */
  constructor(rows: number, width: number, memory: KernelMemory = openKernels(layoutOf(rows, width).bytes), start = 0) {
    this.rows = rows;
    this.width = width;
    const { matrixBytes, rowBytes, productBytes, picks } = layoutOf(rows, width);
    const { buffer, kernels } = memory;
    const rowStart = start + matrixBytes;
    this.#stride = rowBytes / 4;
    this.#values = new Float32Array(buffer, start, this.#stride * rows);
    this.#row = new Float32Array(buffer, rowStart, this.#stride);
    this.#products = new Float32Array(buffer, rowStart + rowBytes, rows);
    this.#factors = new Float32Array(buffer, rowStart + rowBytes + productBytes, 2 * picks);
    this.#addresses = new Int32Array(buffer, this.#factors.byteOffset, 2 * picks);
    this.#kernels = kernels;
  }

  /** Sets successive rows. @param values their numbers, row by row. */
  set(firstRow: number, values: Float32Array): void {
    for (let row = firstRow, at = 0; at < values.length; row++, at += this.width) {
      this.#values.set(values.subarray(at, at + this.width), row * this.#stride);
    }
  }

  /** The dot product of a vector with each row. The next call of any method reuses the array. */
  products(vector: Float32Array): Float32Array {
    this.#row.set(vector);
    const { byteOffset, byteLength } = this.#row;
    const { byteOffset: start, byteLength: length } = this.#values;
    this.#kernels.products(byteOffset, start, byteLength, start + length, this.#products.byteOffset);
    return this.#products;
  }

  /**
   * Adds successive rows to sums, each times its factor.
   *
   * @param sums of the matrix's width.
   * @param scale by which all factors are multiplied.
   */
  addRows(sums: Float32Array, firstRow: number, factors: Float32Array, scale = 1): void {
    const start = this.#values.byteOffset;
    let picks = 0;
    for (let i = 0; i < factors.length; i++) {
      const factor = (factors[i] as number) * scale;
      if (factor !== 0) {
        this.#factors[2 * picks] = factor;
        this.#addresses[2 * picks + 1] = start + 4 * (firstRow + i) * this.#stride;
        picks++;
      }
    }
    // Any row serves to fill up, times zero.
    for (; picks % ROWS_A_STEP !== 0; picks++) {
      this.#factors[2 * picks] = 0;
      this.#addresses[2 * picks + 1] = start;
    }
    const { byteOffset, byteLength } = this.#row;
    this.#row.set(sums);
    const from = this.#factors.byteOffset;
    this.#kernels.addRows(byteOffset, byteOffset + byteLength, from, from + PICK * picks);
    sums.set(this.#row.subarray(0, this.width));
  }
}

/** `placesOfHighest` looks at every so many-th value first, if there are at least so many. */
const SAMPLE_STEP = 16;
const SAMPLED_FROM = 512;
/** Places are below this bound: with the 32 bits of a value they fit into the 53 bits of a whole number. */
const PLACES = 2 ** 21;

/**
 * The places of the highest values, highest first, equal ones in their order.
 *
 * @param values at most 2,097,152, and none is NaN.
 * @param above values must be above this bound.
 * @param passes whether a place may be among them.
 */
export function placesOfHighest(
  values: Float32Array,
  limit: number,
  above = Number.NEGATIVE_INFINITY,
  passes?: (place: number) => boolean,
): number[] {
  const least = values.length < SAMPLED_FROM ? above : sampledBound(values, limit, above, passes);
  const places = placesFrom(values, least, above, passes);
  const isEnough = places.length >= limit || least === above;
  return highestFirst(values, isEnough ? places : placesFrom(values, above, above, passes), limit);
}

/** A value that at least `limit` values very likely reach, and not many more, by a sample; `above` if few values pass. */
function sampledBound(
  values: Float32Array,
  limit: number,
  above: number,
  passes: ((place: number) => boolean) | undefined,
): number {
  // Half as many again, and four more, as the sample has of the highest on average.
  const last = Math.ceil((1.5 * limit) / SAMPLE_STEP) + 4;
  const highest = new Float64Array(last + 1);
  let count = 0;
  for (let place = 0; place < values.length; place += SAMPLE_STEP) {
    const value = values[place] as number;
    const isHigher = count <= last || value > (highest[last] as number);
    if (isHigher && value > above && (passes === undefined || passes(place))) {
      let at = count <= last ? count++ : last;
      for (; at > 0 && (highest[at - 1] as number) < value; at--) {
        highest[at] = highest[at - 1] as number;
      }
      highest[at] = value;
    }
  }
  return count > last ? (highest[last] as number) : above;
}

/** The places of values that are at least `least`, above `above`, and pass. */
function placesFrom(
  values: Float32Array,
  least: number,
  above: number,
  passes: ((place: number) => boolean) | undefined,
): number[] {
  const places: number[] = [];
  for (let place = 0; place < values.length; place++) {
    const value = values[place] as number;
    if (value >= least && value > above && (passes === undefined || passes(place))) {
      places.push(place);
    }
  }
  return places;
}

const oneValue = new Float32Array(1);
const oneOrder = new Uint32Array(oneValue.buffer);

/** The first of the places by their values, highest first. */
function highestFirst(values: Float32Array, places: readonly number[], limit: number): number[] {
  // Numbers that sort as the values and then the places do: sorting them needs no calls of a function that compares.
  const keys = new Float64Array(places.length);
  for (let i = 0; i < places.length; i++) {
    const place = places[i] as number;
    // Zero is added because there are two zeros.
    oneValue[0] = (values[place] as number) + 0;
    const bits = oneOrder[0] as number;
    const order = bits < 2 ** 31 ? bits + 2 ** 31 : 2 ** 32 - 1 - bits;
    keys[i] = order * PLACES + (PLACES - 1 - place);
  }
  keys.sort();
  const first: number[] = [];
  for (let at = keys.length - 1; at >= 0 && first.length < limit; at--) {
    const key = keys[at] as number;
    first.push(PLACES - 1 - (key - Math.floor(key / PLACES) * PLACES));
  }
  return first;
}

/**
 * The dot product of a vector with another one, or with the part of an array that begins at an index. For a few pairs,
 * where copying them into a matrix would take longer.
 */
export function dotProduct(vector: Float32Array, other: Float32Array, start = 0): number {
  // Four sums, so that the processor need not wait for one addition before it begins the next.
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = vector.length - (vector.length % 4);
  for (let i = 0, at = start; i < whole; i += 4, at += 4) {
    a += (vector[i] as number) * (other[at] as number);
    b += (vector[i + 1] as number) * (other[at + 1] as number);
    c += (vector[i + 2] as number) * (other[at + 2] as number);
    d += (vector[i + 3] as number) * (other[at + 3] as number);
  }
  for (let i = whole; i < vector.length; i++) {
    a += (vector[i] as number) * (other[start + i] as number);
  }
  return a + b + c + d;
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
