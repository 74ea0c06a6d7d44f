/** The functions of vector-kernels.wat, which says what they do. */
export interface Kernels {
  products(vector: number, rows: number, width: number, end: number, out: number): void;
  addRows(sums: number, end: number, picks: number, picksEnd: number): void;
  leafSum(
    row1: number,
    end: number,
    row2: number,
    row3: number,
    row4: number,
    row5: number,
    row6: number,
    row7: number,
    row8: number,
    values: number,
  ): number;
  treeSum(
    features: number,
    nodes: number,
    end: number,
    tree: number,
    steps: number,
    values: number,
    leaves: number,
  ): number;
}

/** The values of a tree. */
const LEAVES = 32;

/** The numbers that a step of `products` multiplies, and those that the processor adds at a time. */
const STEP = 16;
const LANES = 4;

const { fround } = Math;

/**
 * The kernels of vector-kernels.wat in JavaScript, some six times slower. They add in the same order and round each
 * result to 32 bits, so that they give the same numbers.
 */
export function plainKernels(buffer: ArrayBuffer): Kernels {
  const numbers = new Float32Array(buffer);
  const addresses = new Int32Array(buffer);
  const sums = new Float32Array(STEP);
  return {
    products(vector, rows, width, end, out) {
      const length = width / 4;
      for (let row = rows / 4, to = out / 4; row < end / 4; row += length, to++) {
        sums.fill(0);
        for (let i = 0; i < length; i++) {
          const product = fround((numbers[vector / 4 + i] as number) * (numbers[row + i] as number));
          sums[i % STEP] = (sums[i % STEP] as number) + product;
        }
        const lane = (at: number) =>
          fround(
            fround((sums[at] as number) + (sums[at + LANES] as number)) +
              fround((sums[at + 2 * LANES] as number) + (sums[at + 3 * LANES] as number)),
          );
        numbers[to] = fround(lane(0) + lane(1)) + fround(lane(2) + lane(3));
      }
    },

    addRows(from, end, picks, picksEnd) {
      const term = (pick: number, at: number) =>
        fround((numbers[pick] as number) * (numbers[(addresses[pick + 1] as number) / 4 + at] as number));
      for (let pick = picks / 4; pick < picksEnd / 4; pick += 8) {
        for (let to = from / 4, at = 0; to < end / 4; to++, at++) {
          const first = fround(term(pick, at) + term(pick + 2, at));
          const second = fround(term(pick + 4, at) + term(pick + 6, at));
          numbers[to] = (numbers[to] as number) + fround(first + second);
        }
      }
    },

    leafSum(row1, end, row2, row3, row4, row5, row6, row7, row8, values) {
      const leafSums = [0, 0, 0, 0];
      const rows = [row1, row2, row3, row4, row5, row6, row7, row8].map((row) => row / 4);
      for (let t = 0; t < (end - row1) / 4; t++) {
        const left = rows.reduce((all, row) => all & (addresses[row + t] as number), -1);
        const value = numbers[values / 4 + t * LEAVES + Math.clz32(left)] as number;
        leafSums[t % LANES] = (leafSums[t % LANES] as number) + value;
      }
      const [a = 0, b = 0, c = 0, d = 0] = leafSums;
      return a + b + (c + d);
    },

    treeSum(features, nodes, end, tree, steps, values, leaves) {
      let sum = 0;
      for (let root = nodes / 4, leaf = values / 4; root < end / 4; root += tree / 4, leaf += leaves / 4) {
        let place = 0;
        for (let step = 0; step < steps; step++) {
          const node = root + 2 * place;
          const value = numbers[(features + (addresses[node] as number)) / 4] as number;
          place = 2 * place + 2 - Number(value <= (numbers[node + 1] as number));
        }
        sum += numbers[leaf + place] as number;
      }
      return sum;
    },
  };
}
