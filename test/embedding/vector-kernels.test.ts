import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import wabt from "wabt";
import { randomOf } from "../../bench/scale/random.ts";
import {
  createMatrices,
  dotProduct,
  Matrix,
  placesOfHighest,
  plainMemory,
} from "../../src/embedding/vector-kernels.ts";
import { skipWhere } from "../support/skip-where.ts";

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

test("matrices in one memory compute as matrices in their own, and the kernels in JavaScript give the same numbers", () => {
  const shared = createMatrices(sizes);
  const plain = createMatrices(sizes, plainMemory);
  for (const [index, [rows, width]] of sizes.entries()) {
    const [values, vector, factors, sums] = [numbers(rows * width), numbers(width), numbers(rows), numbers(width)];
    const results = [new Matrix(rows, width), shared[index] as Matrix, plain[index] as Matrix].map((matrix) => {
      matrix.set(0, values);
      const added = sums.slice();
      matrix.addRows(added, 0, factors, 3);
      return { products: [...matrix.products(vector)], added: [...added] };
    });
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  }
});

describe("A process with little address space", () => {
  skipWhere(process.platform === "linux" ? undefined : "only Linux limits the address space with ulimit -v");

  test("computes where the addresses of a WebAssembly memory are not granted", () => {
    const kernels = fileURLToPath(new URL("../../src/embedding/vector-kernels.ts", import.meta.url));
    const program = `
    const { Matrix } = await import(${JSON.stringify(kernels)});
    const matrices = Array.from({ length: 4 }, () => new Matrix(2, 3));
    for (const matrix of matrices) {
      matrix.set(0, Float32Array.of(1, 2, 3, 4, 5, 6));
      console.log(...matrix.products(Float32Array.of(1, 1, 1)));
    }`;
    const kilobytes = 24_000_000;
    const limited = `ulimit -v ${kilobytes} && exec "$0" --input-type=module --eval "$1"`;
    const { stdout, stderr } = spawnSync("sh", ["-c", limited, process.execPath, program], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toBe("6 15\n".repeat(4));
  });
});

test("the compiled kernels are those of the text", async () => {
  const text = new URL("../../src/embedding/vector-kernels.wat", import.meta.url);
  const module = (await wabt()).parseWat("vector-kernels.wat", readFileSync(text, "utf8"), { simd: true });
  const compiled = readFileSync(new URL("vector-kernels.wasm", text));
  expect(Buffer.from(module.toBinary({}).buffer).equals(compiled)).toBe(true);
});

describe("the places of the highest values", () => {
  const isIn = (step: number) => (place: number) => place % step === 0;
  for (const [name, value] of [
    ["that are all different", () => 2 * random.next() - 1],
    ["with many equal ones", () => Math.round(3 * random.next()) - 1],
    ["that are mostly zero", () => (random.next() < 0.95 ? 0 : random.next())],
    ["that are all equal", () => 1],
  ] as const) {
    test(`are those of a sort, for values ${name}`, () => {
      for (const size of [0, 3, 511, 4_000]) {
        const values = Float32Array.from({ length: size }, value);
        for (const limit of [1, 8, 60, 5_000]) {
          for (const [above, passes] of [
            [Number.NEGATIVE_INFINITY, undefined],
            [0, undefined],
            [Number.NEGATIVE_INFINITY, isIn(3)],
            [0, isIn(500)],
          ] as const) {
            const sorted = [...values.keys()]
              .filter((place) => (values[place] as number) > above && (passes?.(place) ?? true))
              .sort((a, b) => (values[b] as number) - (values[a] as number) || a - b)
              .slice(0, limit);
            expect(placesOfHighest(values, limit, above, passes)).toEqual(sorted);
          }
        }
      }
    });
  }

  test("are complete if the highest values come in groups, which a sample misleads about", () => {
    const values = Float32Array.from({ length: 4_096 }, (_, place) => (place % 16 === 0 ? 1 + place : 0));
    const places = placesOfHighest(values, 300);
    expect(places).toHaveLength(300);
    // After the 256 highest come the first 44 of the others.
    expect(places.slice(-44)).toEqual([...values.keys()].filter((place) => place % 16 !== 0).slice(0, 44));
  });
});
