import { readStaticFile, type StaticFile } from "./static-file.ts";
import { hashOf } from "./static-tokens.ts";

/** Endings taken off unknown words, in the order tried, with what replaces them. */
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

/** Shortest piece that a compound word is divided into: "deepfake", "webtoon". */
const MIN_PIECE = 3;
/** Longest word that is taken apart: longer ones are keys and noise. */
const MAX_WORD = 40;

/**
 * The words that the bundled models know: a row a word, found by the hash of the word, with an 8-bit vector
 * and a weight. One instance serves the encoder and the task classifier.
 */
export interface Vocabulary {
  /** Names the data: version and content hash. */
  readonly id: string;
  readonly rows: number;
  readonly dimensions: number;
  /**
   * Rows of `dimensions` 8-bit numbers; multiply by the row's scale. The first dimensions tell most of the
   * meaning: they may be cut off anywhere.
   */
  readonly vectors: Int8Array;
  readonly scales: Float32Array;
  /** Rows of `taskDimensions` 8-bit numbers that tell tasks apart, with the row's scale. */
  readonly taskDimensions: number;
  readonly taskVectors: Int8Array;
  readonly taskScales: Float32Array;
  /** How much a word says about a need, 0 (of, the) to 1 (rare), a row. */
  readonly weights: Float32Array;
  /** The row of exactly this word, or -1. */
  find(word: string): number;
  /**
   * The rows that stand for a word: its own; else its stem's; else those of the two words it is made of; else
   * those of its letter groups, which are rows too. Empty for a word that shares nothing with any known one.
   */
  rowsOf(word: string): readonly number[];
}

let loaded: Vocabulary | undefined;

/** Reads the words once a process; milliseconds. */
export function loadVocabulary(): Vocabulary {
  loaded ??= createVocabulary(readStaticFile(new URL("./words.bin", import.meta.url)));
  return loaded;
}

/** The vocabulary that a file holds. */
export function createVocabulary(file: StaticFile): Vocabulary {
  const facts = file.facts as {
    id: string;
    rows: number;
    dimensions: number;
    taskDimensions: number;
    groups: number;
  };
  const slots = file.section("slots", "u32");
  const hashes = file.section("hashes", "u32");
  const mask = slots.length - 1;
  const words = facts.rows - facts.groups;

  const find = (word: string): number => {
    const hash = hashOf(word);
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const row = slots[slot]!;
      if (row === 0) {
        return -1;
      }
      if (hashes[row - 1] === hash) {
        return row - 1;
      }
    }
  };

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

/** The most even division of a word into two known ones. */
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

/** "a", "i" and single digits say nothing. */
const LETTER_WEIGHT = 0.05;

/**
 * How much a word says about what is needed: near 0 for "the", "model" and "want", 1 for words as rare as
 * "zebra". Fixed by the bundled data, whatever the inventory holds. 0.9 for a word that is not known: a name.
 * Takes a word as wordsOf gives it.
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
