import { expect, test } from "vitest";
import { addPackedRow, ByteVectors, dotProduct } from "../../src/embedding/index.ts";
import { packed } from "../../training/numbers/data-file.ts";

/** Vectors of length 1 that look random and are the same in each run. */
function vectorOf(seed: number, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, (_, i) => Math.sin(seed * 97.3 + i * i * 1.7));
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

test.each([128, 130])("the largest cosine is that of the vectors with %i numbers, within 0.01", (dimensions) => {
  const vectors = Array.from({ length: 5 }, (_, seed) => vectorOf(seed, dimensions));
  const bytes = new ByteVectors(vectors);
  for (let seed = 5; seed < 40; seed++) {
    const vector = vectorOf(seed, dimensions);
    const largest = Math.max(...vectors.map((other) => dotProduct(vector, other)));
    expect(Math.abs(bytes.largestCosine(vector) - largest)).toBeLessThan(0.01);
  }
  for (const vector of vectors) {
    expect(bytes.largestCosine(vector)).toBeCloseTo(1, 3);
  }
});

test("a vector of zeros has the cosine 0", () => {
  expect(new ByteVectors([new Float32Array(8)]).largestCosine(vectorOf(1, 8))).toBe(0);
});

test("a row of a packed table is added to sums, times a factor", () => {
  const table = packed(Int8Array.of(1, 2, 3, 4, -7, 0, 7, -1));
  const sums = Float32Array.of(10, 10, 10, 10);
  addPackedRow(sums, table, 1, 0.5);
  expect([...sums]).toEqual([6.5, 10, 13.5, 9.5]);
  addPackedRow(sums, table, 0, 1);
  expect([...sums]).toEqual([7.5, 12, 16.5, 13.5]);
});
