import fc from "fast-check";
import { expect, test } from "vitest";
import { squarify } from "../../web/src/charts/squarify.ts";

const close = (a: number, b: number) => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

test("tiles have areas in proportion, stay inside and do not overlap", () => {
  const counts = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 60 });
  const side = fc.integer({ min: 20, max: 2_000 });
  fc.assert(
    fc.property(counts, side, side, (values, width, height) => {
      const sorted = [...values].sort((a, b) => b - a);
      const tiles = squarify(sorted, (value) => value, width, height);
      expect(tiles.map(({ item }) => item)).toEqual(sorted);
      const perArea = (width * height) / sorted.reduce((a, b) => a + b);
      for (const [i, tile] of tiles.entries()) {
        expect(close(tile.width * tile.height, tile.item * perArea)).toBe(true);
        expect(tile.x >= -1e-6 && tile.y >= -1e-6).toBe(true);
        expect(tile.x + tile.width <= width + 1e-6 && tile.y + tile.height <= height + 1e-6).toBe(true);
        for (const other of tiles.slice(i + 1)) {
          const across = Math.min(tile.x + tile.width, other.x + other.width) - Math.max(tile.x, other.x);
          const down = Math.min(tile.y + tile.height, other.y + other.height) - Math.max(tile.y, other.y);
          expect(across <= 1e-6 || down <= 1e-6).toBe(true);
        }
      }
    }),
  );
});

test("the published example is laid out as published", () => {
  // Areas 6 6 4 3 2 2 1 in a rectangle of 6 by 4: section 3.1 of the paper.
  const tiles = squarify([6, 6, 4, 3, 2, 2, 1], (area) => area, 6, 4);
  const sizes = tiles.map(({ width, height }) => [width, height].map((side) => Number(side.toFixed(2))));
  expect(sizes.slice(0, 4)).toEqual([
    [3, 2],
    [3, 2],
    [1.71, 2.33],
    [1.29, 2.33],
  ]);
});

test("what has no area gets no tile", () => {
  expect(squarify([3, 0, -1, Number.NaN], (value) => value, 10, 10).map(({ item }) => item)).toEqual([3]);
  expect(squarify([], () => 1, 10, 10)).toEqual([]);
  expect(squarify([1], () => 1, 0, 10)).toEqual([]);
});
