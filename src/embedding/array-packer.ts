/** Bytes of a block. A block is freed when none of its arrays is used any more, so it holds few. */
const BLOCK_BYTES = 16_384;

/**
 * Copies small arrays of numbers into common blocks, for arrays that are kept for thousands of models. A typed array with
 * memory of its own takes some 350 bytes beside its numbers (V8's ArrayBuffer, Node's and glibc's records). In a block it
 * takes 100.
 */
export class ArrayPacker<T extends Float32Array | Int32Array | Int8Array> {
  readonly #kind: new (
    length: number,
  ) => T;
  #block: T;
  #used = 0;

  /** @param kind Float32Array, Int32Array or Int8Array. */
  constructor(kind: new (length: number) => T) {
    this.#kind = kind;
    this.#block = new kind(0);
  }

  /** A copy of the numbers in a block. Arrays of more than a block get memory of their own. */
  pack(values: T): T {
    const end = this.#used + values.length;
    if (end > this.#block.length) {
      this.#block = new this.#kind(Math.max(values.length, BLOCK_BYTES / values.BYTES_PER_ELEMENT));
      this.#used = 0;
    }
    const copy = this.#block.subarray(this.#used, this.#used + values.length) as T;
    copy.set(values);
    this.#used += values.length;
    return copy;
  }
}
