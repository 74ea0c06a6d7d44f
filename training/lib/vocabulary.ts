import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { staticFileBytes } from "../../src/embedding/static/static-file.ts";
import { hashOf, wordsOf } from "../../src/embedding/static/static-tokens.ts";
import { groupsOf } from "../../src/embedding/static/static-vocabulary.ts";
import type { Glove } from "./glove.ts";

/** How many of GloVe's most frequent words are kept. */
const FREQUENT = 40_000;
/** How many rows stand for letter groups of unknown words. */
const GROUPS = 8_192;
/** Passes over the words that teach the letter groups. */
const GROUP_PASSES = 12;

export interface VocabularyData {
  words: string[];
  dimensions: number;
  /** Full-precision rows, words then letter groups. */
  vectors: Float32Array;
  weights: Float32Array;
  rowOf: Map<string, number>;
}

/** Words of the lexicon with those that explain them. */
function kin(): Map<string, string[]> {
  const lines = readFileSync(join(import.meta.dirname, "kin.txt"), "utf8").split("\n");
  return new Map(
    lines
      .filter((line) => line.includes(":") && !line.startsWith("#"))
      .map((line) => {
        const [word = "", rest = ""] = line.split(":");
        return [wordsOf(word)[0] ?? "", wordsOf(rest)];
      }),
  );
}

/**
 * Builds the words: GloVe's frequent ones, those of the texts given, and the lexicon's. Vectors are GloVe's,
 * centred and with the strongest common direction taken out, at length 1; words that the lexicon explains
 * get the mean of its words; letter groups learn to add up to the words that they are in.
 */
export function buildVocabulary(glove: Glove, texts: readonly string[][]): VocabularyData {
  const lexicon = kin();
  const documents = new Map<string, number>();
  let total = 0;
  for (const words of texts) {
    total += words.length;
    for (const word of new Set(words)) {
      documents.set(word, (documents.get(word) ?? 0) + 1);
    }
  }
  const chosen = new Set<string>();
  for (const word of glove.words) {
    if (chosen.size >= FREQUENT) {
      break;
    }
    if (/^[\p{L}\p{N}]+$/u.test(word) && wordsOf(word)[0] === word) {
      chosen.add(word);
    }
  }
  for (const word of documents.keys()) {
    if (glove.rankOf(word) !== undefined) {
      chosen.add(word);
    }
  }
  for (const word of lexicon.keys()) {
    chosen.add(word);
  }
  for (const explained of lexicon.values()) {
    for (const word of explained) {
      if (glove.rankOf(word) !== undefined) {
        chosen.add(word);
      }
    }
  }

  const taken = new Set<number>();
  const words: string[] = [];
  for (const word of chosen) {
    const hash = hashOf(word);
    if (taken.has(hash)) {
      continue;
    }
    taken.add(hash);
    words.push(word);
  }
  const dimensions = glove.dimensions;
  const rowOf = new Map(words.map((word, row) => [word, row]));
  const vectors = new Float32Array((words.length + GROUPS) * dimensions);
  const known = words.filter((word) => glove.rankOf(word) !== undefined && !lexicon.has(word));
  for (const word of known) {
    vectors.set(glove.vectorOf(word)!, rowOf.get(word)! * dimensions);
  }
  centre(
    vectors,
    dimensions,
    known.map((word) => rowOf.get(word)!),
  );
  // What the lexicon explains is the mean of its words, whatever GloVe holds it for.
  for (const [word, explained] of lexicon) {
    const row = vectors.subarray(rowOf.get(word)! * dimensions, (rowOf.get(word)! + 1) * dimensions);
    for (const other of explained) {
      const from = rowOf.get(other);
      if (from === undefined || lexicon.has(other)) {
        continue;
      }
      for (let at = 0; at < dimensions; at++) {
        row[at]! += vectors[from * dimensions + at]!;
      }
    }
    normalise(row);
  }
  rotate(vectors, dimensions, Math.min(words.length, 20_000));
  teachGroups(vectors, dimensions, words);

  const weights = new Float32Array(words.length + GROUPS).fill(0.9);
  const count = texts.length;
  words.forEach((word, row) => {
    const rank = glove.rankOf(word);
    // Zipf's law gives how often general English has the word in so many running words.
    const general = rank === undefined ? 0 : Math.min(1, 0.08 / (rank + 1)) * total;
    const seen = documents.get(word) ?? 0;
    const often = 0.5 * seen + 0.5 * Math.min(general, count) + 1;
    weights[row] = Math.max(0.02, Math.min(1, Math.log(count / often) / Math.log(count / 2)));
  });
  return { words, dimensions, vectors, weights, rowOf };
}

/** Takes the mean and the first principal direction out of the rows, and makes each length 1. */
function centre(vectors: Float32Array, dimensions: number, rows: readonly number[]): void {
  const mean = new Float64Array(dimensions);
  for (const row of rows) {
    for (let at = 0; at < dimensions; at++) {
      mean[at]! += vectors[row * dimensions + at]!;
    }
  }
  for (let at = 0; at < dimensions; at++) {
    mean[at]! /= rows.length;
  }
  for (const row of rows) {
    for (let at = 0; at < dimensions; at++) {
      vectors[row * dimensions + at]! -= mean[at]!;
    }
  }
  let direction = Float64Array.from({ length: dimensions }, (_, at) => 1 / (at + 1));
  for (let pass = 0; pass < 30; pass++) {
    const next = new Float64Array(dimensions);
    for (const row of rows) {
      let dot = 0;
      for (let at = 0; at < dimensions; at++) {
        dot += vectors[row * dimensions + at]! * direction[at]!;
      }
      for (let at = 0; at < dimensions; at++) {
        next[at]! += dot * vectors[row * dimensions + at]!;
      }
    }
    const length = Math.hypot(...next);
    direction = next.map((value) => value / length);
  }
  for (const row of rows) {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    let dot = 0;
    for (let at = 0; at < dimensions; at++) {
      dot += vector[at]! * direction[at]!;
    }
    for (let at = 0; at < dimensions; at++) {
      vector[at]! -= dot * direction[at]!;
    }
    normalise(vector);
  }
}

function normalise(vector: Float32Array): void {
  let sum = 0;
  for (const value of vector) {
    sum += value * value;
  }
  if (sum === 0) {
    return;
  }
  const length = Math.sqrt(sum);
  for (let at = 0; at < vector.length; at++) {
    vector[at]! /= length;
  }
}

/** Turns the space so that the variance of the first `count` rows falls from the first dimension to the last. */
function rotate(vectors: Float32Array, dimensions: number, count: number): void {
  const covariance = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  for (let row = 0; row < count; row++) {
    for (let a = 0; a < dimensions; a++) {
      const value = vectors[row * dimensions + a]!;
      for (let b = a; b < dimensions; b++) {
        covariance[a]![b]! += value * vectors[row * dimensions + b]!;
      }
    }
  }
  for (let a = 0; a < dimensions; a++) {
    for (let b = 0; b < a; b++) {
      covariance[a]![b] = covariance[b]![a]!;
    }
  }
  const axes = jacobi(covariance);
  const turned = new Float32Array(dimensions);
  for (let start = 0; start < vectors.length; start += dimensions) {
    for (let axis = 0; axis < dimensions; axis++) {
      let dot = 0;
      for (let at = 0; at < dimensions; at++) {
        dot += axes[axis]![at]! * vectors[start + at]!;
      }
      turned[axis] = dot;
    }
    vectors.set(turned, start);
  }
}

/** The eigenvectors of a symmetric matrix, strongest first, by Jacobi's rotations; the matrix is used up. */
function jacobi(matrix: Float64Array[]): Float64Array[] {
  const size = matrix.length;
  const axes = Array.from({ length: size }, (_, at) => {
    const axis = new Float64Array(size);
    axis[at] = 1;
    return axis;
  });
  for (let sweep = 0; sweep < 15; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        const off = matrix[p]![q]!;
        if (Math.abs(off) < 1e-12) {
          continue;
        }
        const theta = (matrix[q]![q]! - matrix[p]![p]!) / (2 * off);
        const tangent = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const cosine = 1 / Math.sqrt(tangent * tangent + 1);
        const sine = tangent * cosine;
        for (let at = 0; at < size; at++) {
          const a = matrix[at]![p]!;
          const b = matrix[at]![q]!;
          matrix[at]![p] = cosine * a - sine * b;
          matrix[at]![q] = sine * a + cosine * b;
        }
        for (let at = 0; at < size; at++) {
          const a = matrix[p]![at]!;
          const b = matrix[q]![at]!;
          matrix[p]![at] = cosine * a - sine * b;
          matrix[q]![at] = sine * a + cosine * b;
          const c = axes[p]![at]!;
          const d = axes[q]![at]!;
          axes[p]![at] = cosine * c - sine * d;
          axes[q]![at] = sine * c + cosine * d;
        }
      }
    }
  }
  const strength = axes.map((_, at) => matrix[at]![at]!);
  return [...axes.keys()].sort((a, b) => strength[b]! - strength[a]!).map((at) => axes[at]!);
}

/** Stochastic gradient steps so that the mean of a word's letter groups is near the word. */
function teachGroups(vectors: Float32Array, dimensions: number, words: readonly string[]): void {
  const long = words.flatMap((word, row) => (word.length >= 5 ? [{ row, groups: groupsOf(word) }] : []));
  const places = long.map(({ row, groups }) => ({
    row,
    groups: Int32Array.from(groups, (group) => words.length + (hashOf(group) % GROUPS)),
  }));
  const error = new Float64Array(dimensions);
  for (let pass = 0; pass < GROUP_PASSES; pass++) {
    const rate = 1.5 * (1 - pass / GROUP_PASSES);
    for (const { row, groups } of places) {
      for (let at = 0; at < dimensions; at++) {
        let sum = 0;
        for (const group of groups) {
          sum += vectors[group * dimensions + at]!;
        }
        error[at] = vectors[row * dimensions + at]! - sum / groups.length;
      }
      const step = rate / groups.length;
      for (const group of groups) {
        for (let at = 0; at < dimensions; at++) {
          vectors[group * dimensions + at]! += step * error[at]!;
        }
      }
    }
  }
}

/** The vocabulary as the file that src/embedding/static/static-vocabulary.ts reads; task vectors may still be missing. */
export function vocabularyBytes(data: VocabularyData, taskVectors: Float32Array = new Float32Array(0)): Buffer {
  const { words, dimensions } = data;
  const rows = words.length + GROUPS;
  const { values, scales } = quantised(data.vectors, rows, dimensions);
  let size = 1;
  while (size < words.length * 2) {
    size *= 2;
  }
  const slots = new Uint32Array(size);
  const hashes = Uint32Array.from(words, (word) => hashOf(word));
  hashes.forEach((hash, row) => {
    let slot = hash & (size - 1);
    while (slots[slot] !== 0) {
      slot = (slot + 1) & (size - 1);
    }
    slots[slot] = row + 1;
  });
  const taskDimensions = taskVectors.length / rows;
  const tasks = quantised(taskVectors, taskDimensions === 0 ? 0 : rows, taskDimensions);
  const sections = {
    slots,
    hashes,
    scales,
    weights: data.weights,
    taskScales: tasks.scales,
    vectors: values,
    taskVectors: tasks.values,
  };
  const digest = createHash("sha256");
  for (const array of Object.values(sections)) {
    digest.update(array);
  }
  return staticFileBytes(
    { id: `words-1-${digest.digest("hex").slice(0, 12)}`, rows, dimensions, taskDimensions, groups: GROUPS },
    sections,
  );
}

/** Rows as 8-bit numbers with a scale a row. */
export function quantised(
  vectors: Float32Array,
  rows: number,
  dimensions: number,
): { values: Int8Array; scales: Float32Array } {
  const values = new Int8Array(rows * dimensions);
  const scales = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    let largest = 0;
    for (let at = 0; at < dimensions; at++) {
      largest = Math.max(largest, Math.abs(vectors[row * dimensions + at]!));
    }
    if (largest === 0) {
      continue;
    }
    scales[row] = largest / 127;
    for (let at = 0; at < dimensions; at++) {
      values[row * dimensions + at] = Math.round((vectors[row * dimensions + at]! / largest) * 127);
    }
  }
  return { values, scales };
}
