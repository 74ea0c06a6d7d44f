import type { Tree } from "../../src/recommend/score/learned/ranking-model.ts";

export interface BoostOptions {
  trees: number;
  depth: number;
  /** The most leaves of a tree. */
  leaves: number;
  rate: number;
  /** The least sum of curvatures of a leaf. */
  leastWeight: number;
  /** Added to the curvature, so that small leaves stay near zero. */
  shrink: number;
  /** The share of the features that each tree may use. */
  featureShare: number;
  random: () => number;
}

/** Rows of features, one after the other. */
export interface Table {
  rows: number;
  columns: number;
  values: Float32Array;
}

/** Writes the gradient and the curvature of the loss at the present sums. */
export type Loss = (sums: Float64Array, gradient: Float64Array, curvature: Float64Array) => void;

const BINS = 64;

/** The thresholds between the bins of each column: quantiles of its distinct values. */
function thresholdsOf({ rows, columns, values }: Table): Float32Array[] {
  return Array.from({ length: columns }, (_, column) => {
    const sorted = Float32Array.from({ length: rows }, (_, row) => values[row * columns + column] as number).sort();
    const distinct = [...new Set(sorted)];
    if (distinct.length <= BINS) {
      return Float32Array.from(distinct.slice(0, -1), (value, k) => (value + (distinct[k + 1] as number)) / 2);
    }
    const cuts = Array.from({ length: BINS - 1 }, (_, k) => sorted[Math.floor(((k + 1) * rows) / BINS)] as number);
    return Float32Array.from(new Set(cuts));
  });
}

/** The bin of each value: the number of thresholds below it. */
function binned({ rows, columns, values }: Table, thresholds: readonly Float32Array[]): Uint8Array {
  const bins = new Uint8Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cuts = thresholds[column] as Float32Array;
      const value = values[row * columns + column] as number;
      let low = 0;
      let high = cuts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (value <= (cuts[middle] as number)) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      bins[row * columns + column] = low;
    }
  }
  return bins;
}

/** Grows trees that lower a loss step by step (gradient boosting with histograms). Equal inputs give equal trees. */
export function boost(table: Table, loss: Loss, options: BoostOptions, start?: Float64Array): Tree[] {
  const { rows, columns } = table;
  const thresholds = thresholdsOf(table);
  const bins = binned(table, thresholds);
  const sums = start === undefined ? new Float64Array(rows) : Float64Array.from(start);
  const gradient = new Float64Array(rows);
  const curvature = new Float64Array(rows);
  const trees: Tree[] = [];
  for (let round = 0; round < options.trees; round++) {
    loss(sums, gradient, curvature);
    const drawn = Array.from({ length: columns }, () => options.random() < options.featureShare);
    const usable = drawn.flatMap((isUsable, column) => (isUsable ? [column] : []));
    trees.push(growTree({ rows, columns, bins, thresholds, gradient, curvature, sums, usable }, options));
  }
  return trees;
}

interface Growing {
  rows: number;
  columns: number;
  bins: Uint8Array;
  thresholds: readonly Float32Array[];
  gradient: Float64Array;
  curvature: Float64Array;
  /** The tree's values are added to it. */
  sums: Float64Array;
  /** The columns that the tree may split by. */
  usable: readonly number[];
}

/** The sums of gradients and curvatures of some rows, by column and bin. */
interface Histogram {
  gradients: Float64Array;
  curvatures: Float64Array;
}

/** A tree while it grows. */
type GrowingTree = { -readonly [Part in keyof Tree]: number[] };

/** A leaf that may still be split. */
interface GrowingLeaf {
  node: number;
  members: Int32Array;
  depth: number;
  gradient: number;
  curvature: number;
  histogram?: Histogram;
  split?: Split | undefined;
}

/** Grows a tree: it splits the leaf that gains most, until the tree has enough leaves. */
function growTree(g: Growing, options: BoostOptions): Tree {
  const tree: GrowingTree = { feature: [], threshold: [], left: [], right: [], value: [] };
  const leafOf = (members: Int32Array, depth: number): GrowingLeaf => {
    const node = tree.feature.push(-1) - 1;
    tree.threshold[node] = 0;
    tree.left[node] = 0;
    tree.right[node] = 0;
    tree.value[node] = 0;
    let gradient = 0;
    let curvature = 0;
    for (const row of members) {
      gradient += g.gradient[row] as number;
      curvature += g.curvature[row] as number;
    }
    return { node, members, depth, gradient, curvature };
  };
  const prepare = (leaf: GrowingLeaf, histogram: Histogram) => {
    leaf.histogram = histogram;
    leaf.split = bestSplit(g, histogram, leaf.gradient, leaf.curvature, options);
  };
  const root = leafOf(
    Int32Array.from({ length: g.rows }, (_, row) => row),
    0,
  );
  prepare(root, histogramOf(g, root.members));
  const leaves = [root];
  while (leaves.length < options.leaves) {
    const most = Math.max(...leaves.map(({ split }) => split?.gain ?? 0));
    const place = leaves.findIndex(({ split }) => split !== undefined && split.gain === most);
    const leaf = leaves[place];
    if (leaf?.split === undefined) {
      break;
    }
    const { column, bin } = leaf.split;
    const goesLeft = (row: number) => (g.bins[row * g.columns + column] as number) <= bin;
    const before = leafOf(leaf.members.filter(goesLeft), leaf.depth + 1);
    const behind = leafOf(
      leaf.members.filter((row) => !goesLeft(row)),
      leaf.depth + 1,
    );
    tree.feature[leaf.node] = column;
    tree.threshold[leaf.node] = (g.thresholds[column] as Float32Array)[bin] as number;
    tree.left[leaf.node] = before.node;
    tree.right[leaf.node] = behind.node;
    if (leaf.depth + 1 < options.depth) {
      // The rows of the smaller side are counted; those of the other side are what is left.
      const isBeforeSmaller = before.members.length < behind.members.length;
      const [smaller, larger] = isBeforeSmaller ? [before, behind] : [behind, before];
      const counted = histogramOf(g, smaller.members);
      prepare(smaller, counted);
      prepare(larger, difference(leaf.histogram as Histogram, counted));
    }
    leaves.splice(place, 1, before, behind);
  }
  for (const { node, members, gradient, curvature } of leaves) {
    const value = Number(((-options.rate * gradient) / (curvature + options.shrink)).toFixed(5));
    tree.value[node] = value;
    for (const row of members) {
      g.sums[row] = (g.sums[row] as number) + value;
    }
  }
  return tree;
}

function histogramOf(g: Growing, members: Int32Array): Histogram {
  const gradients = new Float64Array(g.columns * BINS);
  const curvatures = new Float64Array(g.columns * BINS);
  for (const row of members) {
    const slope = g.gradient[row] as number;
    const bend = g.curvature[row] as number;
    const first = row * g.columns;
    for (const column of g.usable) {
      const at = column * BINS + (g.bins[first + column] as number);
      gradients[at] = (gradients[at] as number) + slope;
      curvatures[at] = (curvatures[at] as number) + bend;
    }
  }
  return { gradients, curvatures };
}

function difference(whole: Histogram, part: Histogram): Histogram {
  return {
    gradients: whole.gradients.map((value, at) => value - (part.gradients[at] as number)),
    curvatures: whole.curvatures.map((value, at) => value - (part.curvatures[at] as number)),
  };
}

interface Split {
  column: number;
  bin: number;
  /** How much it lowers the loss. */
  gain: number;
}

function bestSplit(
  g: Growing,
  { gradients, curvatures }: Histogram,
  gradient: number,
  curvature: number,
  { leastWeight, shrink }: BoostOptions,
): Split | undefined {
  const whole = (gradient * gradient) / (curvature + shrink);
  let found: Split | undefined;
  let most = 1e-6;
  for (const column of g.usable) {
    const last = (g.thresholds[column] as Float32Array).length;
    let slope = 0;
    let bend = 0;
    for (let bin = 0; bin < last; bin++) {
      slope += gradients[column * BINS + bin] as number;
      bend += curvatures[column * BINS + bin] as number;
      const others = curvature - bend;
      if (bend < leastWeight || others < leastWeight) {
        continue;
      }
      const gain = (slope * slope) / (bend + shrink) + (gradient - slope) ** 2 / (others + shrink) - whole;
      if (gain > most) {
        most = gain;
        found = { column, bin, gain };
      }
    }
  }
  return found;
}
