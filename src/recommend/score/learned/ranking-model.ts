import { readFileSync } from "node:fs";
import { openKernels } from "../../../embedding/index.ts";
import { featureNames } from "../features/features.ts";

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
  /** The same for models that have no card of their own, and how much their match adds to the sum. */
  unlisted: { slope: number; offset: number; text: number; task: number };
}

/** Computes the chance that a model is a good choice for a need, as practitioners grade it. */
export interface RankingModel {
  /** The sum of the trees, and of the match of a model without a card of its own; it orders models. */
  sumOf(features: Float32Array): number;
  /**
   * What the match adds to the sum of a model without a card of its own. The trees learn most from models with cards, so they count
   * too little of it.
   *
   * @param text the feature `text`. @param taskShare the feature of that name.
   */
  matchSumOf(text: number, taskShare: number): number;
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
  const treeSumOf = createTreeSum(trees, features.length);
  const [hasCard, inherited] = [featureNames.indexOf("hasCard"), featureNames.indexOf("inherited")];
  const [text, taskShare] = [featureNames.indexOf("text"), featureNames.indexOf("taskShare")];
  const isListedBy = (values: Float32Array) => isListed(values[hasCard], values[inherited]);
  const matchSumOf = (ofText = 0, ofTask = 0) => unlisted.text * ofText + unlisted.task * ofTask;
  const sumOf = (values: Float32Array) =>
    treeSumOf(values) + (isListedBy(values) ? 0 : matchSumOf(values[text], values[taskShare]));
  const chanceOfSum = (sum: number, listed: boolean) => {
    const fit = listed ? { slope, offset } : unlisted;
    return logistic(fit.slope * sum + fit.offset);
  };
  return {
    sumOf,
    matchSumOf,
    chanceOf: (values) => chanceOfSum(sumOf(values), isListedBy(values)),
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

/** The kernel walks this many trees at a time. */
const TREES_AT_ONCE = 4;
/** The bytes of an inner node: where its feature is, and its threshold. */
const NODE = 8;

/**
 * Returns a function for the sum of trees: what the leaves have that a row of features leads to. Every tree is held as a
 * complete one, in the order of its levels. So a step to a child is arithmetic, and all nodes fit in the processor's nearer
 * caches.
 *
 * @param features the length of a row.
 */
export function createTreeSum(
  trees: readonly Tree[],
  features: number,
  open = openKernels,
): (values: Float32Array) => number {
  // At least one step, so that a tree with one leaf is walked like the others.
  const steps = Math.max(1, ...trees.map((tree) => depthOf(tree)));
  const inner = 2 ** steps - 1;
  const count = Math.ceil(trees.length / TREES_AT_ONCE) * TREES_AT_ONCE;
  const [rowBytes, treeBytes, leafBytes] = [4 * features, NODE * inner, 4 * (inner + 1)];
  const nodesAt = Math.ceil(rowBytes / NODE) * NODE;
  const valuesAt = nodesAt + count * treeBytes;
  const { buffer, kernels } = open(valuesAt + count * leafBytes);
  const row = new Float32Array(buffer, 0, features);
  const places = new Int32Array(buffer, nodesAt, (count * treeBytes) / 4);
  const thresholds = new Float32Array(buffer, nodesAt, places.length);
  const leaves = new Float32Array(buffer, valuesAt, (count * leafBytes) / 4);
  for (const [t, tree] of trees.entries()) {
    const fill = (place: number, node: number): void => {
      const isLeaf = (tree.feature[node] as number) < 0;
      if (place >= inner) {
        leaves[t * (inner + 1) + place - inner] = tree.value[node] as number;
        return;
      }
      // Below a leaf, both children have the leaf's value.
      if (!isLeaf) {
        const at = 2 * (t * inner + place);
        places[at] = 4 * (tree.feature[node] as number);
        thresholds[at + 1] = tree.threshold[node] as number;
      }
      fill(2 * place + 1, isLeaf ? node : (tree.left[node] as number));
      fill(2 * place + 2, isLeaf ? node : (tree.right[node] as number));
    };
    fill(0, 0);
  }
  return (values) => {
    row.set(values);
    return count === 0 ? 0 : kernels.treeSum(0, nodesAt, valuesAt, treeBytes, steps, valuesAt - 4 * inner, leafBytes);
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
