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
}

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
  // All nodes of all trees in flat arrays: no object is followed while a candidate is scored.
  const roots = Int32Array.from(trees, () => 0);
  const nodes = trees.reduce((sum, tree) => sum + tree.feature.length, 0);
  const feature = new Int16Array(nodes);
  const threshold = new Float32Array(nodes);
  const left = new Int32Array(nodes);
  const right = new Int32Array(nodes);
  const value = new Float32Array(nodes);
  let first = 0;
  for (const [t, tree] of trees.entries()) {
    roots[t] = first;
    feature.set(tree.feature, first);
    threshold.set(tree.threshold, first);
    value.set(tree.value, first);
    left.set(
      tree.left.map((node) => node + first),
      first,
    );
    right.set(
      tree.right.map((node) => node + first),
      first,
    );
    first += tree.feature.length;
  }
  const sumOf = (values: Float32Array): number => {
    let sum = 0;
    for (const root of roots) {
      let node = root;
      for (let column = feature[node] as number; column >= 0; column = feature[node] as number) {
        node = ((values[column] as number) <= (threshold[node] as number) ? left[node] : right[node]) as number;
      }
      sum += value[node] as number;
    }
    return sum;
  };
  const hasCard = featureNames.indexOf("hasCard");
  const inherited = featureNames.indexOf("inherited");
  return {
    sumOf,
    chanceOf: (values) => {
      const isListed = values[hasCard] === 1 && (values[inherited] as number) <= SAME_WEIGHTS;
      const fit = isListed ? { slope, offset } : unlisted;
      return logistic(fit.slope * sumOf(values) + fit.offset);
    },
  };
}

/** The value of the feature `inherited` for a card of the same weights; more for that of a line or base. */
const SAME_WEIGHTS = 1;

/** 1 / (1 + e^-value): 0 to 1. */
export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
