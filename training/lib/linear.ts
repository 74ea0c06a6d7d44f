import { random, shuffled } from "./random.ts";

/** An example as the linear model sees it: sparse feature numbers with values. */
export interface SparseExample {
  features: Int32Array;
  values: Float32Array;
  label: number;
  weight: number;
}

export interface LinearOptions {
  features: number;
  labels: number;
  passes: number;
  /** First step size. */
  rate: number;
  /** Pull of every weight that is touched towards 0. */
  decay: number;
  /** Share of the features left out at random when an example is shown. */
  dropout: number;
  seed: number;
}

/** Multinomial logistic regression with AdaGrad; weights a row a feature, then one row of offsets. */
export function trainLinear(examples: readonly SparseExample[], options: LinearOptions): Float32Array {
  const { features, labels, passes, rate, decay, dropout, seed } = options;
  const next = random(seed);
  const weights = new Float32Array((features + 1) * labels);
  const squares = new Float32Array((features + 1) * labels).fill(1e-6);
  const scores = new Float32Array(labels);
  for (let pass = 0; pass < passes; pass++) {
    const step = rate * (1 - (0.9 * pass) / passes);
    for (const place of shuffled(examples.length, next)) {
      const { features: found, values, label, weight } = examples[place]!;
      const shown: number[] = [];
      for (let at = 0; at < found.length; at++) if (dropout === 0 || next() >= dropout) shown.push(at);
      const boost = found.length === 0 ? 1 : Math.sqrt(found.length / Math.max(1, shown.length));
      for (let k = 0; k < labels; k++) scores[k] = weights[features * labels + k]!;
      for (const at of shown) {
        const start = found[at]! * labels;
        const value = values[at]! * boost;
        for (let k = 0; k < labels; k++) scores[k]! += value * weights[start + k]!;
      }
      softmax(scores);
      scores[label]! -= 1;
      for (let k = 0; k < labels; k++) scores[k]! *= weight;
      const update = (start: number, value: number): void => {
        for (let k = 0; k < labels; k++) {
          const gradient = value * scores[k]! + decay * weights[start + k]!;
          squares[start + k]! += gradient * gradient;
          weights[start + k]! -= (step * gradient) / Math.sqrt(squares[start + k]!);
        }
      };
      for (const at of shown) update(found[at]! * labels, values[at]! * boost);
      update(features * labels, 0.1);
    }
  }
  return weights;
}

/** The scores of an example before softmax. */
export function linearScores(weights: Float32Array, example: SparseExample, labels: number): Float32Array {
  const offsets = weights.length - labels;
  const scores = weights.slice(offsets);
  for (let at = 0; at < example.features.length; at++) {
    const start = example.features[at]! * labels;
    const value = example.values[at]!;
    for (let k = 0; k < labels; k++) scores[k]! += value * weights[start + k]!;
  }
  return scores;
}

/** Turns scores into shares of 1, in place. */
export function softmax(scores: Float32Array): Float32Array {
  let largest = -Infinity;
  for (const score of scores) if (score > largest) largest = score;
  let sum = 0;
  for (let k = 0; k < scores.length; k++) {
    scores[k] = Math.exp(scores[k]! - largest);
    sum += scores[k]!;
  }
  for (let k = 0; k < scores.length; k++) scores[k]! /= sum;
  return scores;
}
