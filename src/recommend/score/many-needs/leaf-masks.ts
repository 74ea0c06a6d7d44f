import { type KernelMemory, openKernels } from "../../../embedding/index.ts";
import type { Tree } from "../learned/ranking-model.ts";

/** A mask has a bit for each leaf of a tree. */
const MOST_LEAVES = 32;

/** The kernel sums this many trees at a time. Masks have room for a multiple of this number. */
const TREES_AT_ONCE = 4;

/** Two rows of masks that `sum` reads, besides those of six places. */
const OWN_ROWS = 2;

/** The leaves of each tree that can still be reached: one bit for each leaf. */
export type Masks = Int32Array;

/**
 * Sums trees for many rows of features that have most values in common.
 *
 * A value of a feature excludes the leaves on the other side of each node that splits by it. The masks of common values
 * are combined once. A row adds the masks of its own values, and then one leaf is left in each tree. The sum is that of
 * walking from the root of each tree to its leaf; it is added in another order, so the last digits differ.
 */
export class LeafMasks {
  /** The first of the two rows of masks that `sum` combines with those of six places. */
  readonly first: Masks;
  /** The second one. */
  readonly second: Masks;
  /** The length of a row: the number of trees, rounded up. */
  readonly #trees: number;
  /** The leaves that each tree has. */
  readonly #all: Masks;
  /** Of each leaf of each tree, that of the highest bit first. What is left of a row after the last tree is 0. */
  readonly #values: Float32Array;
  /** Of each feature, ascending. */
  readonly #thresholds: readonly Float32Array[];
  /** The trees that split by each feature. Its values exclude no leaves of other trees. */
  readonly #treesOf: readonly Int32Array[];
  /** Masks for all trees by the value of a feature: first those of values up to the first threshold, and so on. */
  readonly #masks: Int32Array;
  /** Where the masks of each feature begin. */
  readonly #begins: readonly number[];
  readonly #kernels: KernelMemory["kernels"];

  /** @throws Error for a tree with more than 32 leaves. */
  constructor(trees: readonly Tree[], features: number, open = openKernels) {
    this.#trees = Math.ceil(trees.length / TREES_AT_ONCE) * TREES_AT_ONCE;
    this.#thresholds = Array.from({ length: features }, (_, feature) => thresholdsOf(trees, feature));
    this.#treesOf = Array.from({ length: features }, (_, feature) =>
      Int32Array.from([...trees.keys()].filter((t) => trees[t]?.feature.includes(feature))),
    );
    const begins: number[] = [];
    let rows = OWN_ROWS;
    for (const { length } of this.#thresholds) {
      begins.push(rows * this.#trees);
      rows += length + 1;
    }
    this.#begins = begins;
    const row = this.#trees;
    const { buffer, kernels } = open(4 * (rows * row + row * MOST_LEAVES));
    this.#kernels = kernels;
    this.#masks = new Int32Array(buffer, 0, rows * row).fill(-1);
    this.first = this.#masks.subarray(0, row);
    this.second = this.#masks.subarray(row, 2 * row);
    this.#values = new Float32Array(buffer, this.#masks.byteLength, row * MOST_LEAVES);
    this.#all = new Int32Array(row).fill(-1);
    for (const [t, tree] of trees.entries()) {
      this.#all[t] = this.#addNode(t, tree, 0, this.#addLeaves(t, tree));
    }
  }

  /** Masks with which every leaf can be reached. */
  all(): Masks {
    return this.#all.slice();
  }

  /** Excludes the leaves that the values of successive features exclude. */
  narrow(masks: Masks, firstFeature: number, values: ArrayLike<number>): void {
    for (let i = 0; i < values.length; i++) {
      const at = this.placeOf(firstFeature + i, values[i] as number);
      const splitting = this.#treesOf[firstFeature + i] as Int32Array;
      for (let j = 0; j < splitting.length; j++) {
        const t = splitting[j] as number;
        masks[t] = (masks[t] as number) & (this.#masks[at + t] as number);
      }
    }
  }

  /** The place of the masks for a value of a feature, for `sum`. */
  placeOf(feature: number, value: number): number {
    const thresholds = this.#thresholds[feature] as Float32Array;
    const rounded = Math.fround(value);
    let low = 0;
    let high = thresholds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rounded <= (thresholds[middle] as number)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return (this.#begins[feature] as number) + low * this.#trees;
  }

  /** The sum over the trees, where `first`, `second` and the masks of the six places leave one leaf in each. */
  sum(places: Int32Array): number {
    const row = 4 * this.#trees;
    return this.#kernels.leafSum(
      0,
      row,
      row,
      4 * (places[0] as number),
      4 * (places[1] as number),
      4 * (places[2] as number),
      4 * (places[3] as number),
      4 * (places[4] as number),
      4 * (places[5] as number),
      this.#values.byteOffset,
    );
  }

  /** Gives each leaf of a tree a bit, in the order of the values. @returns the bits by node. */
  #addLeaves(t: number, tree: Tree): Map<number, number> {
    const leaves = [...tree.feature.keys()].filter((node) => (tree.feature[node] as number) < 0);
    if (leaves.length > MOST_LEAVES) {
      throw new Error(`tree ${t} has more than ${MOST_LEAVES} leaves`);
    }
    leaves.sort((a, b) => (tree.value[a] as number) - (tree.value[b] as number));
    for (const [bit, leaf] of leaves.entries()) {
      this.#values[t * MOST_LEAVES + MOST_LEAVES - 1 - bit] = tree.value[leaf] as number;
    }
    return new Map(leaves.map((leaf, bit) => [leaf, 1 << bit]));
  }

  /** Adds a node and those below it. @returns the bits of its leaves. */
  #addNode(t: number, tree: Tree, node: number, bits: ReadonlyMap<number, number>): number {
    const feature = tree.feature[node] as number;
    if (feature < 0) {
      return bits.get(node) as number;
    }
    const left = this.#addNode(t, tree, tree.left[node] as number, bits);
    const right = this.#addNode(t, tree, tree.right[node] as number, bits);
    const thresholds = this.#thresholds[feature] as Float32Array;
    const place = thresholds.indexOf(Math.fround(tree.threshold[node] as number));
    for (let rank = 0; rank <= thresholds.length; rank++) {
      const at = (this.#begins[feature] as number) + rank * this.#trees + t;
      const excluded = rank <= place ? right : left;
      this.#masks[at] = (this.#masks[at] as number) & ~excluded;
    }
    return left | right;
  }
}

function thresholdsOf(trees: readonly Tree[], feature: number): Float32Array {
  const found = new Set<number>();
  for (const { feature: features, threshold } of trees) {
    for (const [node, by] of features.entries()) {
      if (by === feature) {
        found.add(Math.fround(threshold[node] as number));
      }
    }
  }
  return Float32Array.from(found).sort();
}
