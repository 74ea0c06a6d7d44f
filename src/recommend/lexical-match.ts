import { wordWeight } from "../embedding/static-words.ts";

/** Words of a text in lower case, with a common English ending cut off so that forms of a word meet. */
export function wordStems(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

/** The words of a need that a text has too. */
export interface LexicalMatch {
  /** Share of the need's word weight that the text holds, 0 to 1. */
  share: number;
  /** The shared words as the need writes them, weightiest first. */
  words: string[];
}

/**
 * How much of a need's words a text holds. Words weigh by how much they tell in English and not by how rare they are
 * in the inventory, so that the figure stays the same whatever else is indexed.
 */
export function lexicalMatch(need: readonly NeedWord[], text: ReadonlySet<string>): LexicalMatch {
  let total = 0;
  let shared = 0;
  const words: NeedWord[] = [];
  for (const word of need) {
    total += word.weight;
    if (!text.has(word.stem)) continue;
    shared += word.weight;
    words.push(word);
  }
  words.sort((a, b) => b.weight - a.weight);
  return { share: total === 0 ? 0 : shared / total, words: words.map((word) => word.word) };
}

/** A word of a need with its weight. */
export interface NeedWord {
  word: string;
  stem: string;
  weight: number;
}

/** Words weigh from here on; lighter ones are in nearly every sentence. */
const LIGHTEST = 0.4;

/** The distinct words of a need that tell something, with their weights. */
export function needWords(description: string): NeedWord[] {
  const byStem = new Map<string, NeedWord>();
  for (const word of description.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []) {
    if (wishingWords.has(word) || byStem.has(stem(word))) continue;
    const weight = (wordWeight(word) - LIGHTEST) / (1 - LIGHTEST);
    if (weight > 0) byStem.set(stem(word), { word, stem: stem(word), weight });
  }
  return [...byStem.values()];
}

/** Words that ask, whatever is asked for. */
const wishingWords: ReadonlySet<string> = new Set(
  (
    "need needs want wants would like please build create make develop design find get help looking look use using used " +
    "app application system tool program software project company business startup team customers model models ai run " +
    "running runs good best fast able something things lot many long short new our your their from into about"
  ).split(" "),
);

function stem(word: string): string {
  if (word.length <= 4) return word;
  // At least four letters stay, lest unlike words meet; a last e goes, so that image and images do.
  return word.replace(/(?<=.{4})(?:at(?:ions?|ing|es?|ed|ors?)|ions?|ings?|ers?|ed|es?|s|ly)$/, "");
}
