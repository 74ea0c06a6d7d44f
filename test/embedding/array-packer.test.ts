import { expect, test } from "vitest";
import { ArrayPacker } from "../../src/embedding/index.ts";

test("copies of small arrays share blocks and do not touch each other", () => {
  const packer = new ArrayPacker<Int32Array>(Int32Array);
  const packed = Array.from({ length: 100 }, (_, i) => packer.pack(new Int32Array(100).fill(i)));
  for (const [i, array] of packed.entries()) {
    expect(array).toEqual(new Int32Array(100).fill(i));
  }
  expect(new Set(packed.map(({ buffer }) => buffer)).size).toBeLessThan(5);
});

test("a copy does not follow its original, and empty and large arrays are copied too", () => {
  const packer = new ArrayPacker<Float32Array>(Float32Array);
  const original = Float32Array.of(1, 2, 3);
  const copy = packer.pack(original);
  original.fill(0);
  expect(copy).toEqual(Float32Array.of(1, 2, 3));
  expect(packer.pack(new Float32Array(0))).toHaveLength(0);
  const large = Float32Array.from({ length: 10_000 }, (_, i) => i);
  expect(packer.pack(large)).toEqual(large);
});
