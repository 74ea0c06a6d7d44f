import { loadVocabulary } from "./static-vocabulary.ts";

/** "a", "i" and single digits say nothing. */
const LETTER_WEIGHT = 0.05;

/**
 * How much a word says about what is needed: near 0 for "the", "model" and "want", 1 for words as rare as
 * "zebra". Fixed by the bundled data, whatever the inventory holds. 0.9 for a word that is not known: a name.
 * Takes a word as wordsOf gives it.
 */
export function wordWeight(word: string): number {
  if (word.length < 2) return LETTER_WEIGHT;
  const vocabulary = loadVocabulary();
  const row = vocabulary.find(word);
  if (row >= 0) return vocabulary.weights[row]!;
  const rows = vocabulary.rowsOf(word);
  return rows.length === 1 ? vocabulary.weights[rows[0]!]! : 0.9;
}
