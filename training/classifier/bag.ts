import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { MEAN_SCALE, SPARSE_SCALE } from "../../src/recommend/understand/task-classifier-network.ts";
import { Adam } from "../numbers/adam.ts";
import { normal, random, shuffled } from "../numbers/random.ts";

/** A text as input of the bag network. */
export interface BagExample {
  /** Rows of its known features. */
  rows: Int32Array;
  /** The rarity of each feature, scaled to length 1. */
  values: Float32Array;
  mean: Float32Array;
  /** The right share of each label; sums to 1. */
  target: Float32Array;
  weight: number;
}

export interface BagOptions {
  features: number;
  dimensions: number;
  labels: number;
  hidden: number;
  passes: number;
  seed: number;
}

/** A network from sparse features and the mean vector, through one hidden layer, to the labels. */
export interface Bag {
  /** `hidden` numbers for each feature. */
  rows: Float32Array;
  mean: Float32Array;
  offsets: Float32Array;
  out: Float32Array;
  outOffsets: Float32Array;
}

const BATCH = 32;
const RATE = 2e-3;
const ROW_RATE = 2e-2;
const DECAY = 1e-4;
/** Shares of the features and of the hidden units that training leaves out at random. */
const FEATURE_DROPOUT = 0.5;
const UNIT_DROPOUT = 0.5;

/** Trains a bag network. The same examples and options give the same numbers. */
export function trainBag(examples: readonly BagExample[], options: BagOptions): Bag {
  const { features, dimensions, labels, hidden, passes, seed } = options;
  const next = random(seed);
  const gaussian = (length: number, spread: number): Float32Array =>
    Float32Array.from({ length }, () => spread * normal(next));
  const bag: Bag = {
    rows: gaussian(features * hidden, 0.03),
    mean: gaussian(dimensions * hidden, 0.1),
    offsets: new Float32Array(hidden),
    out: gaussian(hidden * labels, Math.sqrt(1 / hidden)),
    outOffsets: new Float32Array(labels),
  };
  const dense = [bag.mean, bag.offsets, bag.out, bag.outOffsets].map((values) => new Adam(values, RATE, DECAY));
  const [meanAdam, offsetsAdam, outAdam, outOffsetsAdam] = dense as [Adam, Adam, Adam, Adam];
  const rowSquares = new Float32Array(features * hidden);
  const rowGradients = new Float32Array(features * hidden);

  const layer = new Float32Array(hidden);
  const shown = new Float32Array(hidden);
  const scores = new Float32Array(labels);
  const back = new Float32Array(hidden);
  for (let pass = 0; pass < passes; pass++) {
    const pace = 1 - (0.9 * pass) / passes;
    const order = shuffled(examples.length, next);
    for (let start = 0; start < order.length; start += BATCH) {
      const batch = order.subarray(start, start + BATCH);
      const touched = new Set<number>();
      for (const place of batch) {
        const { rows, values, mean, target, weight } = examples[place]!;
        layer.set(bag.offsets);
        const taken: number[] = [];
        for (let at = 0; at < rows.length; at++) {
          if (next() < FEATURE_DROPOUT) {
            continue;
          }
          taken.push(at);
          const value = (values[at]! * SPARSE_SCALE) / Math.sqrt(1 - FEATURE_DROPOUT);
          const from = rows[at]! * hidden;
          for (let unit = 0; unit < hidden; unit++) {
            layer[unit]! += value * bag.rows[from + unit]!;
          }
        }
        for (let at = 0; at < dimensions; at++) {
          const value = mean[at]! * MEAN_SCALE;
          for (let unit = 0; unit < hidden; unit++) {
            layer[unit]! += value * bag.mean[at * hidden + unit]!;
          }
        }
        scores.set(bag.outOffsets);
        for (let unit = 0; unit < hidden; unit++) {
          const kept = next() >= UNIT_DROPOUT ? 1 / (1 - UNIT_DROPOUT) : 0;
          shown[unit] = Math.max(0, layer[unit]!) * kept;
          back[unit] = layer[unit]! > 0 ? kept : 0;
          if (shown[unit] === 0) {
            continue;
          }
          for (let k = 0; k < labels; k++) {
            scores[k]! += shown[unit]! * bag.out[unit * labels + k]!;
          }
        }
        lossGradient(scores, target, weight / batch.length);
        for (let k = 0; k < labels; k++) {
          outOffsetsAdam.gradient[k]! += scores[k]!;
        }
        for (let unit = 0; unit < hidden; unit++) {
          if (back[unit] === 0) {
            continue;
          }
          let sum = 0;
          for (let k = 0; k < labels; k++) {
            sum += scores[k]! * bag.out[unit * labels + k]!;
            outAdam.gradient[unit * labels + k]! += shown[unit]! * scores[k]!;
          }
          back[unit]! *= sum;
          offsetsAdam.gradient[unit]! += back[unit]!;
        }
        for (let at = 0; at < dimensions; at++) {
          const value = mean[at]! * MEAN_SCALE;
          for (let unit = 0; unit < hidden; unit++) {
            meanAdam.gradient[at * hidden + unit]! += value * back[unit]!;
          }
        }
        for (const at of taken) {
          const value = (values[at]! * SPARSE_SCALE) / Math.sqrt(1 - FEATURE_DROPOUT);
          const row = rows[at]!;
          touched.add(row);
          for (let unit = 0; unit < hidden; unit++) {
            rowGradients[row * hidden + unit]! += value * back[unit]!;
          }
        }
      }
      for (const adam of dense) {
        adam.step(pace);
      }
      for (const row of touched) {
        for (let place = row * hidden; place < (row + 1) * hidden; place++) {
          const gradient = rowGradients[place]!;
          rowGradients[place] = 0;
          rowSquares[place]! += gradient * gradient;
          bag.rows[place]! -=
            (ROW_RATE * pace * gradient) / (Math.sqrt(rowSquares[place]!) + 1e-6) +
            RATE * pace * DECAY * bag.rows[place]!;
        }
      }
    }
  }
  return bag;
}

/** Runs `trainBag` in another thread, so that the convolution, which takes longer, is trained at the same time. */
export async function trainBagAside(examples: readonly BagExample[], options: BagOptions): Promise<Bag> {
  const worker = new Worker(new URL("./bag-worker.ts", import.meta.url), { workerData: { examples, options } });
  const [bag] = (await once(worker, "message")) as [Bag];
  return bag;
}

/** Replaces scores by the gradient of their cross-entropy against the target, times `factor`. */
export function lossGradient(scores: Float32Array, target: Float32Array, factor: number): void {
  let largest = -Infinity;
  for (let k = 0; k < scores.length; k++) {
    if (scores[k]! > largest) {
      largest = scores[k]!;
    }
  }
  let sum = 0;
  for (let k = 0; k < scores.length; k++) {
    scores[k] = Math.exp(scores[k]! - largest);
    sum += scores[k]!;
  }
  for (let k = 0; k < scores.length; k++) {
    scores[k] = (scores[k]! / sum - target[k]!) * factor;
  }
}
