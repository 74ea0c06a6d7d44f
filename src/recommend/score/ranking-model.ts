import { readFileSync } from "node:fs";
import { featureNames } from "./features/features.ts";

/** A regression tree: the arrays have one entry a node, the root first. */
export interface Tree {
  /** The feature that a node splits by; -1 in a leaf. */
  feature: readonly number[];
  /** Values up to this go left. */
  threshold: readonly number[];
  left: readonly number[];
  right: readonly number[];
  /** What a leaf adds to the sum. */
  value: readonly number[];
}

/** The file that training/ranking writes. */
export interface RankingModelFile {
  /** The names of the features that `feature` counts. */
  features: readonly string[];
  trees: readonly Tree[];
  /** The chance of a good choice is the logistic function of slope · sum + offset. */
  slope: number;
  offset: number;
  /** The same for models that have no card of their own. */
  unlisted: { slope: number; offset: number };
}

/** Computes the chance that a model is a good choice for a need, as practitioners grade it. */
export interface RankingModel {
  /** The sum of the trees; it orders models. */
  sumOf(features: Float32Array): number;
  /** The chance, 0 to 1, calibrated on graded needs. */
  chanceOf(features: Float32Array): number;
  /** The chance of a sum. @param isListed whether the model has a card of its own; see `isListed`. */
  chanceOfSum(sum: number, isListed: boolean): number;
  /** The least sum with at least a chance, 0 to 1, or slightly less: by rounding it can be a little too low. */
  leastSumFor(chance: number, isListed: boolean): number;
  readonly trees: readonly Tree[];
}

/** Rounding changes a sum by less than this. */
const ROUNDING = 1e-9;

let loaded: RankingModel | undefined;

/** Reads the bundled model, once in a process; takes milliseconds. */
export function loadRankingModel(): RankingModel {
  loaded ??= createRankingModel(
    JSON.parse(readFileSync(new URL("./ranking-model.json", import.meta.url), "utf8")) as RankingModelFile,
  );
  return loaded;
}

/** @throws Error if the file was trained with other features. */
export function createRankingModel({ features, trees, slope, offset, unlisted }: RankingModelFile): RankingModel {
  if (features.join() !== featureNames.join()) {
    throw new Error("the ranking model was trained with other features; run `npm run ranking` in training/");
  }
  const sumOf = createSum(trees);
  const hasCard = featureNames.indexOf("hasCard");
  const inherited = featureNames.indexOf("inherited");
  const chanceOfSum = (sum: number, listed: boolean) => {
    const fit = listed ? { slope, offset } : unlisted;
    return logistic(fit.slope * sum + fit.offset);
  };
  return {
    sumOf,
    chanceOf: (values) => chanceOfSum(sumOf(values), isListed(values[hasCard], values[inherited])),
    chanceOfSum,
    leastSumFor: (chance, listed) => {
      const fit = listed ? { slope, offset } : unlisted;
      return (chance <= 0 ? -Infinity : Math.log(chance / (1 - chance)) - fit.offset) / fit.slope - ROUNDING;
    },
    trees,
  };
}

/** Whether a model has a card of its own, or that of the same weights, by the features `hasCard` and `inherited`. */
export function isListed(hasCard = 0, inherited = 0): boolean {
  return hasCard === 1 && inherited <= SAME_WEIGHTS;
}

/** Returns a function for the sum of trees. */
function createSum(trees: readonly Tree[]): (values: Float32Array) => number {
  // Every tree as a complete one of the same depth, node i before its children 2i + 1 and 2i + 2. So a step to a child is
  // arithmetic, and all nodes fit in the processor's nearest cache.
  const depth = Math.max(0, ...trees.map((tree) => depthOf(tree)));
  const inner = 2 ** depth - 1;
  const feature = new Uint8Array(trees.length * inner);
  const threshold = new Float32Array(trees.length * inner);
  const value = new Float32Array(trees.length * (inner + 1));
  for (const [t, tree] of trees.entries()) {
    const fill = (place: number, node: number): void => {
      const isLeaf = (tree.feature[node] as number) < 0;
      if (place >= inner) {
        value[t * (inner + 1) + place - inner] = tree.value[node] as number;
        return;
      }
      // Below a leaf, both children have the leaf's value.
      feature[t * inner + place] = isLeaf ? 0 : (tree.feature[node] as number);
      threshold[t * inner + place] = isLeaf ? 0 : (tree.threshold[node] as number);
      fill(2 * place + 1, isLeaf ? node : (tree.left[node] as number));
      fill(2 * place + 2, isLeaf ? node : (tree.right[node] as number));
    };
    fill(0, 0);
  }
  // A step waits for the one before it, so four trees are walked at a time. A comparison that becomes a number needs no
  // branch, which the processor would often guess wrongly.
  const isLeft = (values: Float32Array, node: number): number =>
    Number((values[feature[node] as number] as number) <= (threshold[node] as number));
  const leaves = inner + 1;
  return (values) => {
    let sum = 0;
    let tree = 0;
    for (; tree + 4 <= trees.length; tree += 4) {
      const first = tree * inner;
      const second = first + inner;
      const third = second + inner;
      const fourth = third + inner;
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let step = 0; step < depth; step++) {
        a = 2 * a + 2 - isLeft(values, first + a);
        b = 2 * b + 2 - isLeft(values, second + b);
        c = 2 * c + 2 - isLeft(values, third + c);
        d = 2 * d + 2 - isLeft(values, fourth + d);
      }
      const leaf = tree * leaves - inner;
      sum += value[leaf + a] as number;
      sum += value[leaf + leaves + b] as number;
      sum += value[leaf + 2 * leaves + c] as number;
      sum += value[leaf + 3 * leaves + d] as number;
    }
    for (; tree < trees.length; tree++) {
      let place = 0;
      for (let step = 0; step < depth; step++) {
        place = 2 * place + 2 - isLeft(values, tree * inner + place);
      }
      sum += value[tree * leaves - inner + place] as number;
    }
    return sum;
  };
}

function depthOf(tree: Tree, node = 0): number {
  return (tree.feature[node] as number) < 0
    ? 0
    : 1 + Math.max(depthOf(tree, tree.left[node]), depthOf(tree, tree.right[node]));
}

/** The value of the feature `inherited` for a card of the same weights; more for that of a line or base. */
const SAME_WEIGHTS = 1;

/** 1 / (1 + e^-value): 0 to 1. */
export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
