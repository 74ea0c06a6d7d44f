import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import wabt from "wabt";
import { randomOf } from "../../bench/scale/random.ts";
import { dotProduct, Matrix } from "../../src/embedding/vector-kernels.ts";

const random = randomOf(5);
const numbers = (count: number) => Float32Array.from({ length: count }, () => 2 * random.next() - 1);

/** Sizes whose rows fill whole steps of the kernels, or end within one. */
const sizes = [
  [1, 1],
  [3, 15],
  [7, 16],
  [5, 17],
  [40, 128],
  [0, 8],
] as const;

for (const [rows, width] of sizes) {
  const values = numbers(rows * width);
  const matrix = new Matrix(rows, width);
  matrix.set(0, values);

  test(`multiplies a vector with each of ${rows} rows of ${width}`, () => {
    const vector = numbers(width);
    const found = [...matrix.products(vector)];
    expect(found).toHaveLength(rows);
    for (const [row, product] of found.entries()) {
      let expected = 0;
      for (let i = 0; i < width; i++) {
        expected += (vector[i] as number) * (values[row * width + i] as number);
      }
      expect(product).toBeCloseTo(expected, 5);
      expect(dotProduct(vector, values, row * width)).toBeCloseTo(expected, 12);
    }
  });

  test(`adds the last of ${rows} rows of ${width} to sums, times factors`, () => {
    const first = rows > 1 ? 1 : 0;
    const factors = numbers(rows - first).map((factor, i) => (i % 3 === 0 ? 0 : factor));
    const sums = numbers(width);
    const expected = sums.map((sum, i) =>
      factors.reduce((all, factor, row) => all + 2 * factor * (values[(first + row) * width + i] as number), sum),
    );
    matrix.addRows(sums, first, factors, 2);
    for (const [i, sum] of sums.entries()) {
      expect(sum).toBeCloseTo(expected[i] as number, 5);
    }
  });
}

test("rows are set one by one, and later calls do not see what earlier ones used", () => {
  const matrix = new Matrix(2, 3);
  matrix.set(1, Float32Array.of(1, 2, 3));
  expect([...matrix.products(Float32Array.of(1, 1, 1))]).toEqual([0, 6]);
  matrix.set(0, Float32Array.of(4, 0, 0));
  expect([...matrix.products(Float32Array.of(1, 0, 0))]).toEqual([4, 1]);
});

test("the compiled kernels are those of the text", async () => {
  const text = new URL("../../src/embedding/vector-kernels.wat", import.meta.url);
  const module = (await wabt()).parseWat("vector-kernels.wat", readFileSync(text, "utf8"), { simd: true });
  const compiled = readFileSync(new URL("vector-kernels.wasm", text));
  expect(Buffer.from(module.toBinary({}).buffer).equals(compiled)).toBe(true);
});
