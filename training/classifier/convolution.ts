import {
  firstPart,
  MEAN_SCALE,
  meanOf,
  PARTS,
  VECTOR_SCALE,
  WIDEST,
} from "../../src/recommend/understand/task-classifier-network.ts";
import { Adam } from "../numbers/adam.ts";
import { normal, random, shuffled } from "../numbers/random.ts";
import { lossGradient } from "./bag.ts";

/** A text as input of the convolution. */
export interface ConvolutionExample {
  /** Its words in order, as places in the table. */
  words: readonly number[];
  target: Float32Array;
  weight: number;
}

export interface ConvolutionOptions {
  /** Every word of the examples. */
  table: readonly { vector: Float32Array; weight: number }[];
  dimensions: number;
  labels: number;
  /** Filters for each window size. */
  filters: number;
  passes: number;
  /** Words of a text that training reads. */
  words: number;
  seed: number;
}

/** A network from windows of words, through filters, to the labels, in the layout of the classifier file. */
export interface Convolution {
  filters: Float32Array;
  offsets: Float32Array;
  out: Float32Array;
  outOffsets: Float32Array;
}

const BATCH = 64;
const RATE = 3e-3;
const DECAY = 1e-3;
const WORD_DROPOUT = 0.15;
const UNIT_DROPOUT = 0.5;

/** Trains a convolution. The same examples and options give the same numbers. */
export function trainConvolution(examples: readonly ConvolutionExample[], options: ConvolutionOptions): Convolution {
  const { table, dimensions, labels, filters: width, passes, words: most, seed } = options;
  const next = random(seed);
  const stride = PARTS * width;
  const model: Convolution = {
    filters: new Float32Array(dimensions * stride),
    offsets: new Float32Array(WIDEST * width),
    out: Float32Array.from({ length: (WIDEST * width + dimensions) * labels }, () => 0.05 * normal(next)),
    outOffsets: new Float32Array(labels),
  };
  for (let at = 0; at < dimensions; at++) {
    for (let size = 1; size <= WIDEST; size++) {
      for (let place = firstPart(size) * width; place < (firstPart(size) + size) * width; place++) {
        model.filters[at * stride + place] = normal(next) / Math.sqrt(dimensions * size);
      }
    }
  }
  const adams = [
    new Adam(model.filters, RATE, DECAY),
    new Adam(model.offsets, RATE, 0),
    new Adam(model.out, RATE, DECAY),
    new Adam(model.outOffsets, RATE, 0),
  ] as const;
  const [filtersAdam, offsetsAdam, outAdam, outOffsetsAdam] = adams;

  const units = WIDEST * width + dimensions;
  const scores = new Float32Array(labels);
  const layer = new Float32Array(units);
  const shown = new Float32Array(units);
  const best = new Int32Array(WIDEST * width);
  for (let pass = 0; pass < passes; pass++) {
    const pace = 1 - (0.9 * pass) / passes;
    const order = shuffled(examples.length, next);
    for (let start = 0; start < order.length; start += BATCH) {
      const batch = order.subarray(start, start + BATCH);
      // The filters change only between batches.
      const prepared = new Map<number, Float32Array>();
      const partsOf = (word: number): Float32Array => {
        let parts = prepared.get(word);
        if (parts) {
          return parts;
        }
        parts = new Float32Array(stride);
        const { vector } = table[word]!;
        const { filters } = model;
        // Four dimensions at a time pass over the parts less often. The number of dimensions is a multiple of four.
        for (let at = 0; at < dimensions; at += 4) {
          const [a, b, c, d] = vector.subarray(at, at + 4) as unknown as [number, number, number, number];
          const from = at * stride;
          for (let place = from; place < from + stride; place++) {
            parts[place - from]! +=
              VECTOR_SCALE *
              (a * filters[place]! +
                b * filters[place + stride]! +
                c * filters[place + 2 * stride]! +
                d * filters[place + 3 * stride]!);
          }
        }
        prepared.set(word, parts);
        return parts;
      };
      const backs = new Map<number, Float32Array>();
      for (const place of batch) {
        const { words: all, target, weight } = examples[place]!;
        let words = all.length > most ? all.slice(0, most) : all;
        const left = words.filter(() => next() >= WORD_DROPOUT);
        if (left.length > 0) {
          words = left;
        }
        const parts = words.map(partsOf);
        layer.fill(0);
        best.fill(-2);
        for (let size = 1; size <= WIDEST; size++) {
          const part = firstPart(size);
          const bank = (size - 1) * width;
          for (let first = -1; first + size <= words.length + 1; first++) {
            for (let filter = 0; filter < width; filter++) {
              let sum = model.offsets[bank + filter]!;
              for (let at = 0; at < size; at++) {
                const word = parts[first + at];
                if (word) {
                  sum += word[(part + at) * width + filter]!;
                }
              }
              if (sum > layer[bank + filter]!) {
                layer[bank + filter] = sum;
                best[bank + filter] = first;
              }
            }
          }
        }
        const mean = meanOf(
          words.map((word) => table[word]!),
          dimensions,
        );
        for (let at = 0; at < dimensions; at++) {
          layer[WIDEST * width + at] = mean[at]! * MEAN_SCALE;
        }
        scores.set(model.outOffsets);
        for (let unit = 0; unit < units; unit++) {
          shown[unit] = next() >= UNIT_DROPOUT ? layer[unit]! / (1 - UNIT_DROPOUT) : 0;
          const value = shown[unit]!;
          if (value === 0) {
            continue;
          }
          const from = unit * labels;
          for (let k = 0; k < labels; k++) {
            scores[k]! += value * model.out[from + k]!;
          }
        }
        lossGradient(scores, target, weight / batch.length);
        for (let k = 0; k < labels; k++) {
          outOffsetsAdam.gradient[k]! += scores[k]!;
        }
        for (let unit = 0; unit < units; unit++) {
          const value = shown[unit]!;
          if (value === 0) {
            continue;
          }
          const from = unit * labels;
          let back = 0;
          for (let k = 0; k < labels; k++) {
            back += scores[k]! * model.out[from + k]!;
            outAdam.gradient[from + k]! += value * scores[k]!;
          }
          if (unit >= WIDEST * width) {
            continue;
          }
          back /= 1 - UNIT_DROPOUT;
          offsetsAdam.gradient[unit]! += back;
          const size = Math.floor(unit / width) + 1;
          const filter = unit % width;
          for (let at = 0; at < size; at++) {
            const word = words[best[unit]! + at];
            if (word === undefined) {
              continue;
            }
            let gradient = backs.get(word);
            if (!gradient) {
              gradient = new Float32Array(stride);
              backs.set(word, gradient);
            }
            gradient[(firstPart(size) + at) * width + filter]! += back;
          }
        }
      }
      for (const [word, gradient] of backs) {
        const { vector } = table[word]!;
        // A word moves few filters: those that had their maximum at it and were not left out.
        const moved: number[] = [];
        for (let place = 0; place < stride; place++) {
          if (gradient[place] !== 0) {
            moved.push(place);
          }
        }
        for (let at = 0; at < dimensions; at++) {
          const value = vector[at]! * VECTOR_SCALE;
          const from = at * stride;
          for (const place of moved) {
            filtersAdam.gradient[from + place]! += value * gradient[place]!;
          }
        }
      }
      for (const adam of adams) {
        adam.step(pace);
      }
    }
  }
  return model;
}
