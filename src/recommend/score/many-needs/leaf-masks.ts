import type { Tree } from "../ranking-model.ts";

/** A mask has a bit for each leaf of a tree. */
const MOST_LEAVES = 32;

/** So many trees are summed before the rest is compared with what is missing. */
const STEP = 10;

/** The leaves of each tree that can still be reached: one bit for each leaf. */
export type Masks = Int32Array;

/** Masks, with the most that the trees from each step of a sum on can add. */
export interface Bounded {
  readonly masks: Masks;
  readonly most: Float64Array;
}

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
  /** Of each leaf of each tree, ascending, in the order of the masks' bits: the highest bit left has the most. */
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
    this.#all = Int32Array.from(trees, (tree, t) => this.#addNode(t, tree, 0, this.#addLeaves(t, tree)));
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

  /** The most that the trees from each step of `sum` on can add, if only the leaves of a mask can be reached. */
  mostOf(masks: Masks): Float64Array {
    const most = new Float64Array(Math.ceil(masks.length / STEP) + 1);
    for (let step = most.length - 2; step >= 0; step--) {
      let sum = most[step + 1] as number;
      for (let t = step * STEP; t < Math.min(masks.length, (step + 1) * STEP); t++) {
        sum += this.#values[t * MOST_LEAVES + 31 - Math.clz32(masks[t] as number)] as number;
      }
      most[step] = sum;
    }
    return most;
  }

  /**
   * The sum over the trees, where the masks and those of the six places leave one leaf in each. Ends with -Infinity as
   * soon as the rest cannot raise it to `least`.
   */
  sum(a: Bounded, b: Bounded, places: Int32Array, least: number): number {
    const masks = this.#masks;
    const values = this.#values;
    const [ofA, ofB] = [a.masks, b.masks];
    const [p1, p2, p3] = [places[0] as number, places[1] as number, places[2] as number];
    const [p4, p5, p6] = [places[3] as number, places[4] as number, places[5] as number];
    let sum = 0;
    for (let step = 0, t = 0; t < ofA.length; step++) {
      if (sum + Math.min(a.most[step] as number, b.most[step] as number) < least) {
        return -Infinity;
      }
      for (const end = Math.min(ofA.length, t + STEP); t < end; t++) {
        const leaves =
          (ofA[t] as number) &
          (ofB[t] as number) &
          (masks[p1 + t] as number) &
          (masks[p2 + t] as number) &
          (masks[p3 + t] as number) &
          (masks[p4 + t] as number) &
          (masks[p5 + t] as number) &
          (masks[p6 + t] as number);
        sum += values[t * MOST_LEAVES + 31 - Math.clz32(leaves)] as number;
      }
    }
    return sum;
  }

  /** Gives each leaf of a tree a bit, in the order of the values. @returns the bits by node. */
  #addLeaves(t: number, tree: Tree): Map<number, number> {
    const leaves = [...tree.feature.keys()].filter((node) => (tree.feature[node] as number) < 0);
    if (leaves.length > MOST_LEAVES) {
      throw new Error(`tree ${t} has more than ${MOST_LEAVES} leaves`);
    }
    leaves.sort((a, b) => (tree.value[a] as number) - (tree.value[b] as number));
    for (const [bit, leaf] of leaves.entries()) {
      this.#values[t * MOST_LEAVES + bit] = tree.value[leaf] as number;
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
