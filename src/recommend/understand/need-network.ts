import {
  addPackedRow,
  type Matrix,
  readMatrices,
  rowFinder,
  type StaticFile,
  type Vocabulary,
} from "../../embedding/index.ts";
import { textFeaturesOf, type WordFeatures, wordFeaturesOf } from "./text-features.ts";

/** The most prepared words that are cached, about 8 kB each. */
const KEPT_WORDS = 1_000;
/** The widest window of the convolution, in words. */
export const WIDEST = 3;
/** The parts of a filter bank: one for each place in each window, 1 + 2 + 3. */
export const PARTS = (WIDEST * (WIDEST + 1)) / 2;
/** The windows of the attention, in words: of the values, and of the gates that say how much a word matters. */
export const VALUE_WINDOW = 3;
export const GATE_WINDOW = 5;
/** Factors of the inputs: of word vectors in the convolution, of mean vectors, and of sparse features. */
export const VECTOR_SCALE = 2;
export const MEAN_SCALE = 3;
export const SPARSE_SCALE = 3;

/** A word with the inputs that the network needs. */
export interface PreparedWord {
  readonly features: WordFeatures;
  readonly vector: Float32Array;
  readonly weight: number;
  /** The vector through every part of every filter. The filters of part p begin at p times their number. */
  readonly parts: Float32Array;
  /** The same for the attention: the values' filters for each place of their window, then the gates'. */
  readonly attention: Float32Array;
}

/** Raw scores of texts: of every task, then of every purpose. */
export interface NeedNetwork {
  prepare(word: string): PreparedWord;
  scores(words: readonly PreparedWord[]): Float32Array;
}

/** Returns the mean of a word's vectors in the vocabulary and the mean of their weights. */
export function wordVectorOf(vocabulary: Vocabulary, word: string): { vector: Float32Array; weight: number } {
  const { dimensions } = vocabulary;
  const vector = new Float32Array(dimensions);
  let weight = 0;
  const rows = vocabulary.rowsOf(word);
  for (const row of rows) {
    const factor = vocabulary.scales[row]! / rows.length;
    weight += vocabulary.weights[row]! / rows.length;
    const start = row * dimensions;
    for (let at = 0; at < dimensions; at++) {
      vector[at]! += factor * vocabulary.vectors[start + at]!;
    }
  }
  return { vector, weight };
}

/** Returns the weighted mean of words' vectors, scaled to length 1; zeros when no word is known. */
export function meanOf(words: readonly { vector: Float32Array; weight: number }[], dimensions: number): Float32Array {
  const sum = new Float32Array(dimensions);
  for (const { vector, weight } of words) {
    for (let at = 0; at < dimensions; at++) {
      sum[at]! += weight * vector[at]!;
    }
  }
  let squares = 0;
  for (let at = 0; at < dimensions; at++) {
    squares += sum[at]! * sum[at]!;
  }
  const length = Math.sqrt(squares) + 1e-6;
  for (let at = 0; at < dimensions; at++) {
    sum[at]! /= length;
  }
  return sum;
}

/**
 * The first part of a window's filters: windows of one word have part 0, windows of two words parts 1 and 2, and so on.
 */
export function firstPart(width: number): number {
  return (width * (width - 1)) / 2;
}

/**
 * Reads the network of the classifier's file: a bag of features through one hidden layer, and windows of words through
 * maxima and through attention. The scores of both parts are added.
 */
export function readNeedNetwork(file: StaticFile, vocabulary: Vocabulary): NeedNetwork {
  const { dimensions } = vocabulary;

  const rarities = file.section("rarities", "f32");
  const scales = file.section("scales", "f32");
  const rows = file.section("rows", "u8");

  const [bagMean, bagOut, filters, convolutionOut, attention] = readMatrices(file, [
    "bagMean",
    "bagOut",
    "filters",
    "convolutionOut",
    "attention",
  ]);
  const bagOffsets = file.section("bagOffsets", "f32");

  const filterOffsets = file.section("filterOffsets", "f32");
  const offsets = file.section("offsets", "f32");
  const width = filterOffsets.length / WIDEST;
  const attend = readAttention(file, attention);

  /** The parts of a place without a word. */
  const outside = new Float32Array(PARTS * width);

  const kept = new Map<string, PreparedWord>();

  const rowOf = rowFinder(file);

  const prepare = (word: string): PreparedWord => {
    let prepared = kept.get(word);
    if (prepared) {
      // The words used last are at the end, so that frequent ones stay.
      kept.delete(word);
      kept.set(word, prepared);
      return prepared;
    }
    const { vector, weight } = wordVectorOf(vocabulary, word);
    const parts = through(vector, filters);
    const attention = through(vector, attend.filters);
    prepared = { features: wordFeaturesOf(word, weight), vector, weight, parts, attention };
    if (kept.size >= KEPT_WORDS) {
      kept.delete(kept.keys().next().value as string);
    }
    kept.set(word, prepared);
    return prepared;
  };

  /** Adds the scores of the bag: sparse features and the mean vector through one hidden layer. */
  const addBag = (scores: Float32Array, words: readonly PreparedWord[], mean: Float32Array): void => {
    const found: number[] = [];
    let squares = 0;
    for (const hash of textFeaturesOf(words.map(({ features }) => features))) {
      const row = rowOf(hash);
      if (row < 0) {
        continue;
      }
      found.push(row);
      squares += rarities[row]! * rarities[row]!;
    }
    const layer = Float32Array.from(bagOffsets);
    const length = Math.sqrt(squares) + 1e-6;
    for (const row of found) {
      const factor = (SPARSE_SCALE * rarities[row]! * scales[row]!) / length;
      addPackedRow(layer, rows, row, factor);
    }
    bagMean.addRows(layer, 0, mean, MEAN_SCALE);
    bagOut.addRows(
      scores,
      0,
      layer.map((value) => Math.max(0, value)),
    );
  };

  /**
   * Adds the scores of the convolution: the maximum of each filter over windows of one to three words, and the mean
   * vector.
   */
  const addConvolution = (scores: Float32Array, words: readonly PreparedWord[], mean: Float32Array): void => {
    const strongest = new Float32Array(WIDEST * width);
    // A window may begin before the first word and end after the last.
    const partsAt = (at: number): Float32Array => words[at]?.parts ?? outside;
    for (let at = 0; at < words.length; at++) {
      const one = partsAt(at);
      for (let filter = 0; filter < width; filter++) {
        const sum = filterOffsets[filter]! + one[filter]!;
        if (sum > strongest[filter]!) {
          strongest[filter] = sum;
        }
      }
    }
    for (let first = -1; first < words.length; first++) {
      const [one, two] = [partsAt(first), partsAt(first + 1)];
      for (let filter = width; filter < 2 * width; filter++) {
        const sum = filterOffsets[filter]! + one[filter]! + two[filter + width]!;
        if (sum > strongest[filter]!) {
          strongest[filter] = sum;
        }
      }
    }
    for (let first = -1; first < words.length - 1; first++) {
      const [one, two, three] = [partsAt(first), partsAt(first + 1), partsAt(first + 2)];
      for (let filter = 2 * width; filter < 3 * width; filter++) {
        const sum =
          filterOffsets[filter]! + one[filter + width]! + two[filter + 2 * width]! + three[filter + 3 * width]!;
        if (sum > strongest[filter]!) {
          strongest[filter] = sum;
        }
      }
    }
    convolutionOut.addRows(scores, 0, strongest);
    convolutionOut.addRows(scores, strongest.length, attend.pool(words));
    convolutionOut.addRows(scores, strongest.length + width, mean, MEAN_SCALE);
  };

  return {
    prepare,
    scores(words) {
      const scores = Float32Array.from(offsets);
      const mean = meanOf(words, dimensions);
      addBag(scores, words, mean);
      addConvolution(scores, words, mean);
      return scores;
    },
  };
}

/** Sends a word's vector through filters, a row of them for each dimension. */
function through(vector: Float32Array, filters: Matrix): Float32Array {
  const parts = new Float32Array(filters.width);
  filters.addRows(parts, 0, vector, VECTOR_SCALE);
  return parts;
}

/** The part of a network that weighs the words of a long text. */
interface Attention {
  filters: Matrix;
  /** The mean of the values of all words, weighted by how much each matters. */
  pool(words: readonly PreparedWord[]): Float32Array;
}

/** Reads the attention of a classifier file. */
function readAttention(file: StaticFile, filters: Matrix): Attention {
  const valueOffsets = file.section("valueOffsets", "f32");
  const gateOffsets = file.section("gateOffsets", "f32");
  const gateOut = file.section("gateOut", "f32");
  const values = valueOffsets.length;
  const gates = gateOffsets.length;
  /** Adds the parts of the words around a place to `sums`. `start` is where the filters of these parts begin. */
  const addWindow = (sums: Float32Array, words: readonly PreparedWord[], at: number, size: number, start: number) => {
    for (let place = 0; place < size; place++) {
      const parts = words[at - (size - 1) / 2 + place]?.attention;
      if (parts === undefined) {
        continue;
      }
      const from = start + place * sums.length;
      for (let unit = 0; unit < sums.length; unit++) {
        sums[unit]! += parts[from + unit]!;
      }
    }
  };
  const gateStart = VALUE_WINDOW * values;
  return {
    filters,
    pool(words) {
      const matters = new Float32Array(words.length);
      const layer = new Float32Array(gates);
      for (let at = 0; at < words.length; at++) {
        layer.set(gateOffsets);
        addWindow(layer, words, at, GATE_WINDOW, gateStart);
        for (let gate = 0; gate < gates; gate++) {
          matters[at]! += gateOut[gate]! * Math.tanh(layer[gate]!);
        }
      }
      softmax(matters, 1);
      const pooled = new Float32Array(values);
      const value = new Float32Array(values);
      for (let at = 0; at < words.length; at++) {
        value.set(valueOffsets);
        addWindow(value, words, at, VALUE_WINDOW, 0);
        for (let unit = 0; unit < values; unit++) {
          pooled[unit]! += matters[at]! * Math.max(0, value[unit]!);
        }
      }
      return pooled;
    },
  };
}

/** Turns scores into shares that add up to 1, in place. A higher temperature makes them more even. */
export function softmax(scores: Float32Array, temperature: number): Float32Array {
  let largest = Number.NEGATIVE_INFINITY;
  for (const score of scores) {
    largest = Math.max(largest, score);
  }
  let sum = 0;
  for (let k = 0; k < scores.length; k++) {
    scores[k] = Math.exp(((scores[k] as number) - largest) / temperature);
    sum += scores[k] as number;
  }
  for (let k = 0; k < scores.length; k++) {
    scores[k] = (scores[k] as number) / sum;
  }
  return scores;
}
