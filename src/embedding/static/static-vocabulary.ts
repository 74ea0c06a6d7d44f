import { readStaticFile, rowFinder, type StaticFile } from "./static-file.ts";
import { hashOf } from "./static-tokens.ts";

/** Endings of unknown words and their replacements, in the order tried. */
const endings: readonly (readonly [string, string])[] = [
  ["ies", "y"],
  ["ing", ""],
  ["ing", "e"],
  ["ers", "er"],
  ["ed", ""],
  ["ed", "e"],
  ["es", ""],
  ["er", ""],
  ["er", "e"],
  ["ly", ""],
  ["s", ""],
];

/** Shortest part of a compound word: "deepfake", "webtoon". */
const MIN_PIECE = 3;
/** Longest word that is split: longer ones are keys and noise. */
const MAX_WORD = 40;

/**
 * The words that the bundled models know. Each word has a row, found by the word's hash, with an 8-bit vector and a
 * weight. One instance serves the encoder and the task classifier.
 */
export interface Vocabulary {
  /** Names the data: version and content hash. */
  readonly id: string;
  readonly rows: number;
  readonly dimensions: number;
  /**
   * Rows of `dimensions` 8-bit numbers, to be multiplied by the row's scale. The first dimensions carry most of the
   * meaning, so a vector may be cut off anywhere.
   */
  readonly vectors: Int8Array;
  readonly scales: Float32Array;
  /** Rows of `taskDimensions` 8-bit numbers that distinguish tasks, with the row's scale. */
  readonly taskDimensions: number;
  readonly taskVectors: Int8Array;
  readonly taskScales: Float32Array;
  /** The weight of each row: how much the word says about a need, 0 (of, the) to 1 (rare). */
  readonly weights: Float32Array;
  /** The row of exactly this word, or -1. */
  find(word: string): number;
  /**
   * The rows for a word: its own; else its stem's; else those of the two words it is made of; else those of its
   * letter groups, which are rows too. Empty for a word that shares nothing with any known one.
   */
  rowsOf(word: string): readonly number[];
}

let loaded: Vocabulary | undefined;

/** Reads the vocabulary once per process, in milliseconds. */
export function loadVocabulary(): Vocabulary {
  loaded ??= createVocabulary(readStaticFile(new URL("./words.bin", import.meta.url)));
  return loaded;
}

/** Creates the vocabulary of a file. */
export function createVocabulary(file: StaticFile): Vocabulary {
  const facts = file.facts as {
    id: string;
    rows: number;
    dimensions: number;
    taskDimensions: number;
    groups: number;
  };
  const rowOf = rowFinder(file);
  const words = facts.rows - facts.groups;

  const find = (word: string): number => rowOf(hashOf(word));

  const stemOf = (word: string): number => {
    for (const [ending, replacement] of endings) {
      if (!word.endsWith(ending) || word.length - ending.length < 3) {
        continue;
      }
      const row = find(word.slice(0, word.length - ending.length) + replacement);
      if (row >= 0) {
        return row;
      }
    }
    const letters = word.replace(/\p{N}+/gu, "");
    return letters.length >= 3 && letters !== word ? find(letters) : -1;
  };

  const unknown = new Map<string, readonly number[]>();
  const rowsOfUnknown = (word: string): readonly number[] => {
    if (word.length < 2 || word.length > MAX_WORD) {
      return [];
    }
    const stem = stemOf(word);
    if (stem >= 0) {
      return [stem];
    }
    const pieces = compound(word, find, stemOf);
    if (pieces) {
      return pieces;
    }
    return groupsOf(word).map((group) => words + (hashOf(group) % facts.groups));
  };

  return {
    id: facts.id,
    rows: facts.rows,
    dimensions: facts.dimensions,
    vectors: file.section("vectors", "i8"),
    scales: file.section("scales", "f32"),
    taskDimensions: facts.taskDimensions,
    taskVectors: file.section("taskVectors", "i8"),
    taskScales: file.section("taskScales", "f32"),
    weights: file.section("weights", "f32"),
    find,
    rowsOf(word) {
      const row = find(word);
      if (row >= 0) {
        return [row];
      }
      let rows = unknown.get(word);
      if (!rows) {
        rows = rowsOfUnknown(word);
        if (unknown.size >= 20_000) {
          unknown.clear();
        }
        unknown.set(word, rows);
      }
      return rows;
    },
  };
}

/** Splits a word into two known ones, as evenly as possible. */
function compound(
  word: string,
  find: (word: string) => number,
  stemOf: (word: string) => number,
): readonly [number, number] | undefined {
  let best: readonly [number, number] | undefined;
  let bestEven = 0;
  for (let at = MIN_PIECE; at <= word.length - MIN_PIECE; at++) {
    const even = Math.min(at, word.length - at);
    if (even <= bestEven) {
      continue;
    }
    const first = find(word.slice(0, at));
    if (first < 0) {
      continue;
    }
    const rest = word.slice(at);
    let second = find(rest);
    if (second < 0) {
      second = stemOf(rest);
    }
    if (second < 0) {
      continue;
    }
    best = [first, second];
    bestEven = even;
  }
  return best;
}

/** Groups of three and four letters of a word with its ends marked. */
export function groupsOf(word: string): string[] {
  const marked = `<${word}>`;
  const groups: string[] = [];
  for (let at = 0; at + 3 <= marked.length; at++) {
    groups.push(marked.slice(at, at + 3));
    if (at + 4 <= marked.length) {
      groups.push(marked.slice(at, at + 4));
    }
  }
  return groups;
}

/** "a", "i" and single digits say nothing about a need. */
const LETTER_WEIGHT = 0.05;

/**
 * How much a word says about a need: near 0 for "the", "model" and "want", 1 for words as rare as "zebra", 0.9 for an
 * unknown word, which is usually a name. Fixed by the bundled data, not by the inventory.
 *
 * @param word as wordsOf returns it.
 */
export function wordWeight(word: string): number {
  if (word.length < 2) {
    return LETTER_WEIGHT;
  }
  const vocabulary = loadVocabulary();
  const row = vocabulary.find(word);
  if (row >= 0) {
    return vocabulary.weights[row]!;
  }
  const rows = vocabulary.rowsOf(word);
  return rows.length === 1 ? vocabulary.weights[rows[0]!]! : 0.9;
}
