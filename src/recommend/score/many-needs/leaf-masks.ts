import type { Tree } from "../ranking-model.ts";

/** A mask has a bit for each leaf of a tree. */
const MOST_LEAVES = 32;

/** The leaves of each tree that can still be reached: one bit for each leaf. */
export type Masks = Int32Array;

/**
 * Sums trees for many rows of features that have most values in common.
 *
 * A value of a feature excludes the leaves on the other side of each node that splits by it. The masks of common values
 * are combined once. A row adds the masks of its own values, and then one leaf is left in each tree. The sum is the
 * same, to the last bit, as that of walking from the root of each tree to its leaf.
 */
export class LeafMasks {
  readonly #trees: number;
  /** The leaves that each tree has. */
  readonly #all: Masks;
  /** Of each leaf of each tree, in the order of the masks' bits. */
  readonly #values: Float32Array;
  /** Of each feature, ascending. */
  readonly #thresholds: readonly Float32Array[];
  /** The trees that split by each feature: its values narrow no others. */
  readonly #treesOf: readonly Int32Array[];
  /** Masks for all trees by the value of a feature: first those of values up to the first threshold, and so on. */
  readonly #masks: Int32Array;
  /** Where the masks of each feature begin. */
  readonly #begins: readonly number[];

  /** @throws Error for a tree with more than 32 leaves. */
  constructor(trees: readonly Tree[], features: number) {
    this.#trees = trees.length;
    this.#values = new Float32Array(trees.length * MOST_LEAVES);
    this.#thresholds = Array.from({ length: features }, (_, feature) => thresholdsOf(trees, feature));
    this.#treesOf = Array.from({ length: features }, (_, feature) =>
      Int32Array.from([...trees.keys()].filter((t) => trees[t]?.feature.includes(feature))),
    );
    const begins: number[] = [];
    let rows = 0;
    for (const { length } of this.#thresholds) {
      begins.push(rows * trees.length);
      rows += length + 1;
    }
    this.#begins = begins;
    this.#masks = new Int32Array(rows * trees.length).fill(-1);
    this.#all = Int32Array.from(trees, (tree, t) => bitsBetween(0, this.#addNode(t, tree, 0, 0)));
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

  /** The sum over the trees, where two masks and those of six places leave one leaf in each. */
  sum(a: Masks, b: Masks, p1: number, p2: number, p3: number, p4: number, p5: number, p6: number): number {
    const masks = this.#masks;
    const values = this.#values;
    let sum = 0;
    for (let t = 0; t < a.length; t++) {
      const leaves =
        (a[t] as number) &
        (b[t] as number) &
        (masks[p1 + t] as number) &
        (masks[p2 + t] as number) &
        (masks[p3 + t] as number) &
        (masks[p4 + t] as number) &
        (masks[p5 + t] as number) &
        (masks[p6 + t] as number);
      sum += values[t * MOST_LEAVES + 31 - Math.clz32(leaves)] as number;
    }
    return sum;
  }

  /** Adds a node and those below it. @returns the bit behind its last leaf. */
  #addNode(t: number, tree: Tree, node: number, firstBit: number): number {
    const feature = tree.feature[node] as number;
    if (feature < 0) {
      if (firstBit >= MOST_LEAVES) {
        throw new Error(`tree ${t} has more than ${MOST_LEAVES} leaves`);
      }
      this.#values[t * MOST_LEAVES + firstBit] = tree.value[node] as number;
      return firstBit + 1;
    }
    const middle = this.#addNode(t, tree, tree.left[node] as number, firstBit);
    const end = this.#addNode(t, tree, tree.right[node] as number, middle);
    const thresholds = this.#thresholds[feature] as Float32Array;
    const place = thresholds.indexOf(Math.fround(tree.threshold[node] as number));
    for (let rank = 0; rank <= thresholds.length; rank++) {
      const isLeft = rank <= place;
      const at = (this.#begins[feature] as number) + rank * this.#trees + t;
      const excluded = isLeft ? bitsBetween(middle, end) : bitsBetween(firstBit, middle);
      this.#masks[at] = (this.#masks[at] as number) & ~excluded;
    }
    return end;
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

/** Bits from a first up to, but not including, an end. */
function bitsBetween(first: number, end: number): number {
  let bits = 0;
  for (let bit = first; bit < end; bit++) {
    bits |= 1 << bit;
  }
  return bits;
}
