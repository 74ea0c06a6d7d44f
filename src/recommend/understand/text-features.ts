import { hashOf, wordsOf } from "../../embedding/index.ts";

/** The most words of a text that are read. */
export const MAX_WORDS = 300;

const STEM = 9;
const GROUP = 3;
/** Seeds of the hashes, so that each kind of pair is a different feature. */
const NEIGHBOURS = 0x5bd1e995;
const STEM_NEIGHBOURS = 0x27d4eb2f;
const APART = 0x165667b1;
const CONTENT_NEIGHBOURS = 0x2545f491;
/** The hash in place of a word before the first one. */
const START = 0x9e3779b9;
/** The greatest distance between the words of a pair, in content words. */
const REACH = 6;

/** Longest first, so that "ations" is removed rather than "s". */
const endings = ["ations", "ation", "ings", "ions", "ing", "ers", "ion", "ed", "er", "es", "s", "e"];

/** The hashes of a word, from which the features of a text are made. */
export interface WordFeatures {
  readonly whole: number;
  readonly stem: number;
  /** Letter groups. */
  readonly groups: readonly number[];
  /** Whether the word carries meaning by itself, unlike "the". */
  readonly content: boolean;
}

/** Returns the hashes of a word; `weight` is its word weight, 0 to 1. */
export function wordFeaturesOf(word: string, weight: number): WordFeatures {
  const groups: number[] = [];
  if (word.length >= 4) {
    const marked = `<${word}>`;
    for (let at = 0; at + 4 <= marked.length; at++) {
      groups.push(hashOf(marked.slice(at, at + 4), GROUP));
      if (at + 5 <= marked.length) {
        groups.push(hashOf(marked.slice(at, at + 5), GROUP));
      }
    }
  }
  return { whole: hashOf(word), stem: hashOf(stemOf(word), STEM), groups, content: weight >= 0.3 };
}

function stemOf(word: string): string {
  if (word.length <= 4) {
    return word;
  }
  for (const ending of endings) {
    if (word.endsWith(ending)) {
      return word.slice(0, -ending.length);
    }
  }
  return word;
}

/**
 * Returns the sparse features of a text as distinct hashes: words, stems, letter groups, pairs of neighbours, and pairs
 * of content words near each other in either order.
 */
export function textFeaturesOf(words: readonly WordFeatures[]): Set<number> {
  const found = new Set<number>();
  let whole = START;
  let stem = START;
  const content: number[] = [];
  for (const word of words) {
    found.add(word.whole);
    found.add(word.stem);
    found.add(pairOf(whole, word.whole, NEIGHBOURS));
    found.add(pairOf(stem, word.stem, STEM_NEIGHBOURS));
    for (const group of word.groups) {
      found.add(group);
    }
    whole = word.whole;
    stem = word.stem;
    if (word.content) {
      content.push(word.stem);
    }
  }
  for (let at = 0; at < content.length; at++) {
    const last = Math.min(at + REACH, content.length - 1);
    for (let other = at + 1; other <= last; other++) {
      const a = content[at]!;
      const b = content[other]!;
      found.add(a < b ? pairOf(a, b, APART) : pairOf(b, a, APART));
    }
  }
  return found;
}

/** The hash in place of a content word before the first one. */
const EDGE = 0x7feb352d;

/** The content words of a text by their stems, and each pair of neighbours among them, as distinct hashes. */
export function contentFeaturesOf(words: readonly WordFeatures[]): Set<number> {
  const found = new Set<number>();
  let before = EDGE;
  for (const { content, stem } of words) {
    if (content) {
      found.add(stem);
      found.add(pairOf(before, stem, CONTENT_NEIGHBOURS));
      before = stem;
    }
  }
  return found;
}

/** All words of a text by their stems, and each pair of neighbours, as distinct hashes. */
export function stemFeaturesOf(text: string): Set<number> {
  const stems = wordsOf(text)
    .slice(0, MAX_WORDS)
    .map((word) => hashOf(stemOf(word), STEM));
  const found = new Set(stems);
  for (let at = 1; at < stems.length; at++) {
    found.add(pairOf(stems[at - 1]!, stems[at]!, STEM_NEIGHBOURS));
  }
  return found;
}

function pairOf(first: number, second: number, kind: number): number {
  let hash = Math.imul(first ^ kind, 0x85ebca6b) ^ second;
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
