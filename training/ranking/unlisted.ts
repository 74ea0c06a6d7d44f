import { featureNames } from "../../src/recommend/score/features/features.ts";
import { logistic, type RankingModelFile } from "../../src/recommend/score/learned/ranking-model.ts";
import { type RankingExamples, WORTHS } from "./examples.ts";
import { calibrate, calibrationError, doubtedShare, figuresOf, sumsOf } from "./ranking.ts";

const STEPS = 30;

/**
 * Fits what the match adds to the sum of a model without a card, and then the chance of such a sum.
 *
 * The weights of the trees' sum, the text and the task are those of a logistic regression on what the grades are worth
 * (`WORTHS`); slope and offset of the chance are fitted to the models that come first then (`calibrate`).
 */
export function fitUnlisted(
  examples: RankingExamples,
  model: RankingModelFile,
): { unlisted: RankingModelFile["unlisted"]; before: Record<string, number>; after: Record<string, number> } {
  const none = { slope: 1, offset: 0, text: 0, task: 0 };
  const { table, grades } = examples;
  const trees = sumsOf({ ...model, unlisted: none }, table);
  const column = (name: (typeof featureNames)[number]) => {
    const at = featureNames.indexOf(name);
    return Float64Array.from({ length: table.rows }, (_, row) => table.values[row * table.columns + at] as number);
  };
  const inputs = [trees, column("text"), column("taskShare"), new Float64Array(table.rows).fill(1)];
  const worths = Float64Array.from(grades, (grade) => WORTHS[grade as 0 | 1 | 2 | 3]);
  const [ofTrees = 1, ofText = 0, ofTask = 0] = logisticRegression(inputs, worths);
  const rounded = (value: number) => Number(value.toFixed(4));
  const match = { text: rounded(ofText / ofTrees), task: rounded(ofTask / ofTrees) };
  const sums = sumsOf({ ...model, unlisted: { ...none, ...match } }, table);
  const fit = calibrate(examples, sums, "hidden");
  const after = {
    ...figuresOf(examples, sums, "hidden"),
    "calibration error": calibrationError(examples, sums, fit, "hidden"),
    "unserved is doubted": doubtedShare(examples, sums, fit, "hidden"),
  };
  return { unlisted: { ...fit, ...match }, before: figuresOf(examples, trees, "hidden"), after };
}

/** The weights of inputs in the logarithm of the odds, by Newton steps. @param targets 0 to 1. */
function logisticRegression(inputs: readonly Float64Array[], targets: Float64Array): number[] {
  const count = inputs.length;
  const weights = new Array<number>(count).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = new Float64Array(count);
    const curvature = Array.from({ length: count }, () => new Float64Array(count));
    for (let row = 0; row < targets.length; row++) {
      const values = inputs.map((input) => input[row] as number);
      const share = logistic(values.reduce((sum, value, i) => sum + value * (weights[i] as number), 0));
      const error = share - (targets[row] as number);
      const bend = share * (1 - share);
      for (let i = 0; i < count; i++) {
        gradient[i]! += error * (values[i] as number);
        for (let j = 0; j < count; j++) {
          curvature[i]![j]! += bend * (values[i] as number) * (values[j] as number);
        }
      }
    }
    for (const [i, change] of solve(curvature, gradient).entries()) {
      weights[i]! -= change;
    }
  }
  return weights;
}

/** Solves a symmetric system with positive pivots by elimination. */
function solve(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, i) => Float64Array.of(...row, right[i] as number));
  for (const [i, pivot] of rows.entries()) {
    for (const row of rows.filter((_, k) => k !== i)) {
      const factor = (row[i] as number) / (pivot[i] as number);
      for (let k = i; k < row.length; k++) {
        row[k]! -= factor * (pivot[k] as number);
      }
    }
  }
  return Float64Array.from(rows, (row, i) => (row.at(-1) as number) / (row[i] as number));
}
