import { ArrayPacker } from "./array-packer.ts";

/** The largest number of a byte with a sign. */
const MOST = 127;

/**
 * Vectors of one length with a byte for each number. Cosines of sentences differ from the true ones by less than 0.01.
 */
export class ByteVectors {
  /** The numbers of all vectors, one after another; each vector is scaled so that its largest number is 127 or -127. */
  readonly #numbers: Int8Array;
  /** What a dot product with each vector is multiplied by, so that it is one with a vector of length 1. */
  readonly #scales: Float32Array;

  /** @param vectors of the same length. */
  constructor(vectors: readonly Float32Array[]) {
    const dimensions = vectors[0]?.length ?? 0;
    const numbers = new Int8Array(vectors.length * dimensions);
    const scales = new Float32Array(vectors.length);
    for (const [at, vector] of vectors.entries()) {
      const most = vector.reduce((largest, number) => Math.max(largest, Math.abs(number)), 0);
      const bytes = numbers.subarray(at * dimensions, (at + 1) * dimensions);
      // A vector of zeros stays one.
      bytes.set(vector.map((number) => Math.round((number * MOST) / (most || 1))));
      scales[at] = 1 / (Math.hypot(...bytes) || 1);
    }
    this.#numbers = packedNumbers.pack(numbers);
    this.#scales = packedScales.pack(scales);
  }

  /** The largest cosine of a vector of length 1 with one of these vectors; -1 without vectors. */
  largestCosine(vector: Float32Array): number {
    const numbers = this.#numbers;
    const whole = vector.length - (vector.length % 4);
    let largest = -1;
    for (let row = 0, at = 0; row < this.#scales.length; row++) {
      // As `dotProduct`, which V8 would make slower for all callers if it were called with bytes, too.
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      let i = 0;
      for (; i < whole; i += 4, at += 4) {
        a += (vector[i] as number) * (numbers[at] as number);
        b += (vector[i + 1] as number) * (numbers[at + 1] as number);
        c += (vector[i + 2] as number) * (numbers[at + 2] as number);
        d += (vector[i + 3] as number) * (numbers[at + 3] as number);
      }
      for (; i < vector.length; i++, at++) {
        a += (vector[i] as number) * (numbers[at] as number);
      }
      largest = Math.max(largest, (a + b + c + d) * (this.#scales[row] as number));
    }
    return largest;
  }
}

const packedNumbers = new ArrayPacker<Int8Array>(Int8Array);
const packedScales = new ArrayPacker<Float32Array>(Float32Array);

/**
 * Adds a row of a table to sums, times a factor. The table has two numbers of four bits in a byte, the first in the lower
 * half, each plus 8: half the memory of bytes.
 *
 * @param sums of the table's width, which is even.
 */
export function addPackedRow(sums: Float32Array, table: Uint8Array, row: number, factor: number): void {
  for (let i = 0, at = (row * sums.length) / 2; i < sums.length; i += 2, at++) {
    const pair = table[at] as number;
    sums[i] = (sums[i] as number) + factor * ((pair & 15) - 8);
    sums[i + 1] = (sums[i + 1] as number) + factor * ((pair >> 4) - 8);
  }
}
