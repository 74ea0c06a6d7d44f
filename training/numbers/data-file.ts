import { createHash } from "node:crypto";
import type { Section } from "../../src/embedding/static/static-file.ts";

/**
 * An open-addressed hash table over rows: slot `hash & (size - 1)`, or the next free one, holds the row number plus 1;
 * 0 is an empty slot. The size is a power of two, at least twice the number of rows.
 */
export function hashTable(hashes: Uint32Array): Uint32Array {
  let size = 1;
  while (size < hashes.length * 2) {
    size *= 2;
  }
  const slots = new Uint32Array(size);
  hashes.forEach((hash, row) => {
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) {
      slot = (slot + 1) & (size - 1);
    }
    slots[slot] = row + 1;
  });
  return slots;
}

/** Rounds rows to whole numbers from -most to most. A row is its numbers times its own scale; one of zeros has scale 0. */
export function quantised(
  vectors: Float32Array,
  rows: number,
  dimensions: number,
  most = 127,
): { values: Int8Array; scales: Float32Array } {
  const values = new Int8Array(rows * dimensions);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let largest = 0;
    for (let at = 0; at < dimensions; at++) {
      largest = Math.max(largest, Math.abs(vectors[row * dimensions + at]!));
    }
    if (largest === 0) {
      continue;
    }
    scales[row] = largest / most;
    for (let at = 0; at < dimensions; at++) {
      values[row * dimensions + at] = Math.round((vectors[row * dimensions + at]! / largest) * most);
    }
  }
  return { values, scales };
}

/** The most of a number of four bits. */
export const MOST_OF_FOUR_BITS = 7;

/** Packs numbers from -7 to 7 two to a byte, the first in the lower half, each plus 8. */
export function packed(values: Int8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 2));
  for (const [at, value] of values.entries()) {
    bytes[at >> 1]! |= (value + 8) << (at % 2 === 0 ? 0 : 4);
  }
  return bytes;
}

/** An id of a data file: `prefix`, then 12 hex digits of the SHA-256 of its sections in their order. */
export function contentId(prefix: string, sections: Readonly<Record<string, Section>>): string {
  const digest = createHash("sha256");
  for (const array of Object.values(sections)) {
    digest.update(array);
  }
  return `${prefix}-${digest.digest("hex").slice(0, 12)}`;
}
