import { wordsOf, wordWeight } from "../../embedding/index.ts";
import { type WordSimilarity, wordRows, wordSimilarity } from "./word-similarity.ts";

/** The words of a need that a text has too, or has others like them. */
export interface LexicalMatch {
  /** Share of the need's word weight that the text holds, 0 to 1; a word of like meaning counts in part. */
  share: number;
  /** The shared words as the need writes them, weightiest first; those of like meaning are not among them. */
  words: string[];
}

/** The words of a need, made ready for many texts. */
export interface NeedWords {
  words: readonly NeedWord[];
  similarity: WordSimilarity;
}

/** The words of a text, made ready for many needs. */
export interface TextWords {
  stems: ReadonlySet<string>;
  /** Rows of the vocabulary. */
  rows: Int32Array;
}

/** Words are compared in meaning from this weight on; those of a text that are lighter are in nearly every text. */
const COMPARED_FROM = 0.3;
/** Words of a text that are compared in meaning: what it is about comes first. */
const MOST_COMPARED = 80;

/** Makes a text's words ready. */
export function textWords(text: string): TextWords {
  const telling = [...new Set(wordsOf(text))].filter((word) => wordWeight(word) > COMPARED_FROM);
  return { stems: new Set(wordStems(text)), rows: wordRows(telling.slice(0, MOST_COMPARED)) };
}

/** Two words less alike than this (cosine) have nothing to do with each other. */
const ALIKE_FROM = 0.5;

/**
 * How much of a need's words a text holds, in its very words or in words of like meaning. Words weigh by how much they
 * tell in English and not by how rare they are in the inventory, so that the figure stays the same whatever else is
 * indexed.
 */
export function lexicalMatch(need: NeedWords, text: TextWords): LexicalMatch {
  let total = 0;
  let shared = 0;
  const words: NeedWord[] = [];
  const nearest = need.similarity.nearest(text.rows);
  for (const [i, word] of need.words.entries()) {
    total += word.weight;
    if (word.stems !== undefined) {
      if (word.stems.some((stem) => text.stems.has(stem))) {
        shared += word.weight;
      }
    } else if (text.stems.has(word.stem)) {
      shared += word.weight;
      words.push(word);
    } else {
      shared += word.weight * Math.max(0, ((nearest[i] as number) - ALIKE_FROM) / (1 - ALIKE_FROM));
    }
  }
  words.sort((a, b) => b.weight - a.weight);
  return { share: total === 0 ? 0 : shared / total, words: words.map((word) => word.word) };
}

/** A word of a need with its weight. */
export interface NeedWord {
  word: string;
  stem: string;
  weight: number;
  /** For what is meant and not said: a text with any of these has it. */
  stems?: readonly string[];
}

/** What a field of life counts beside the words. */
const FIELD_WEIGHT = 0.5;
/** Words weigh from here on; lighter ones are in nearly every sentence. */
const LIGHTEST = 0.4;
/**
 * Words of a need that texts are compared with. Each is compared in meaning with every word of some three hundred texts,
 * so this bounds the work. Needs of people have 31 at most (eval/suite).
 */
const MOST_WORDS = 48;

/**
 * The distinct words of a need that tell something, with their weights.
 *
 * @param similarityOf compares them with those of texts. Default: for one need and many texts.
 * @param fields of life that the need tells, each as the words that name it: a text with any of them has it.
 */
export function needWords(
  description: string,
  similarityOf: (words: readonly string[]) => WordSimilarity = wordSimilarity,
  fields: ReadonlyArray<readonly string[]> = [],
): NeedWords {
  const byStem = new Map<string, NeedWord>();
  for (const word of description.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []) {
    if (wishingWords.has(word) || byStem.has(stem(word))) {
      continue;
    }
    const weight = (wordWeight(word) - LIGHTEST) / (1 - LIGHTEST);
    if (weight > 0) {
      byStem.set(stem(word), { word, stem: stem(word), weight });
    }
  }
  const words = heaviest([...byStem.values()]);
  for (const names of fields) {
    words.push({ word: "", stem: "", weight: FIELD_WEIGHT, stems: [...new Set(names.map(stem))] });
  }
  return { words, similarity: similarityOf(words.map(({ word }) => wordsOf(word)[0] ?? word)) };
}

/** The words that tell most, in their order. */
function heaviest(words: NeedWord[]): NeedWord[] {
  if (words.length <= MOST_WORDS) {
    return words;
  }
  const kept = new Set([...words].sort((a, b) => b.weight - a.weight).slice(0, MOST_WORDS));
  return words.filter((word) => kept.has(word));
}

/** Words that ask, whatever is asked for. */
const wishingWords: ReadonlySet<string> = new Set(
  (
    "need needs want wants would like please build create make generate generator generation develop design find get " +
    "help looking look use using used app application system tool program software project company business startup " +
    "team customers model models ai run running runs fit fits licensed good best fast able something things lot many " +
    "long short new our your their from into about"
  ).split(" "),
);

/** Words of a text in lower case, with a common English ending cut off so that forms of a word meet. */
function wordStems(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

function stem(word: string): string {
  if (word.length <= 4) {
    return word;
  }
  // At least four letters stay, lest unlike words meet; a last e goes, so that image and images do.
  return word.replace(/(?<=.{4})(?:at(?:ions?|ing|es?|ed|ors?)|ions?|ings?|ers?|ed|es?|s|ly)$/, "");
}
