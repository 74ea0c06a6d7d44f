import { wordsOf, wordWeight } from "../../embedding/index.ts";
import { ALIKE_FROM, WordOfNeed, wordRows } from "./word-similarity.ts";

/** The words of a need that a text contains, exactly or as words of similar meaning. */
export interface LexicalMatch {
  /** The shared part of the need's word weight, 0 to 1. A word of similar meaning counts in part. */
  share: number;
  /** The shared words as the need writes them, heaviest first, without words of similar meaning. */
  words: string[];
}

/** The words of a text, prepared for comparison with many needs. */
export interface TextWords {
  /** The stems, with a blank before and after each: one string takes a sixth of the memory of a set. */
  stems: string;
  /** Rows of the vocabulary. */
  rows: Int32Array;
}

/** Lighter words of a text are not compared in meaning: they are in nearly every text. */
const COMPARED_FROM = 0.3;
/** The most words of a text that are compared in meaning. A text names its subject first. */
const MOST_COMPARED = 80;

/** Prepares a text's words. */
export function textWords(text: string): TextWords {
  const heavy = [...new Set(wordsOf(text))].filter((word) => wordWeight(word) > COMPARED_FROM);
  return { stems: ["", ...new Set(wordStems(text)), ""].join(" "), rows: wordRows(heavy.slice(0, MOST_COMPARED)) };
}

/** A stem as texts have it, so that a part of another stem is not found. */
function padded(stem: string): string {
  return ` ${stem} `;
}

/**
 * Compares the words of a need with those of a text. A word's weight is how specific it is in English, not how rare it
 * is in the inventory, so that the result does not depend on other models.
 */
export function lexicalMatch(need: readonly NeedWord[], text: TextWords): LexicalMatch {
  let total = 0;
  let shared = 0;
  const words: NeedWord[] = [];
  for (const word of need) {
    total += word.weight;
    // A word of another stem can be as similar, and is not named.
    if (word.stems === undefined && text.stems.includes(word.stem)) {
      shared += word.weight;
      words.push(word);
    } else {
      shared += word.weight * otherPresenceOf(word, text);
    }
  }
  words.sort((a, b) => b.weight - a.weight);
  return { share: total === 0 ? 0 : shared / total, words: words.map((word) => word.word) };
}

/** How much of a word of a need a text has, 0 to 1: 1 for the word itself, less for one of similar meaning. */
export function presenceOf(word: NeedWord, text: TextWords): number {
  return word.stems === undefined && text.stems.includes(word.stem) ? 1 : otherPresenceOf(word, text);
}

/** The same for a domain, or a word whose stem the text does not have. */
function otherPresenceOf({ stems, meaning }: NeedWord, text: TextWords): number {
  if (stems !== undefined) {
    return Number(stems.some((each) => text.stems.includes(each)));
  }
  return meaning === undefined ? 0 : Math.max(0, (meaning.nearest(text.rows) - ALIKE_FROM) / (1 - ALIKE_FROM));
}

/** A word of a need, prepared for comparison with many texts. */
export interface NeedWord {
  word: string;
  /** With a blank before and after it. */
  stem: string;
  weight: number;
  /** Compares it in meaning; absent for a domain. */
  meaning?: WordOfNeed;
  /** The stems of a domain, in the same form. A text that contains any of them shares the domain. */
  stems?: readonly string[];
}

/** The weight of a domain; a word has at most 1. */
const FIELD_WEIGHT = 0.5;
/** Words of a need up to this weight do not count: they are in nearly every sentence. */
const LIGHTEST = 0.4;
/**
 * The most words of a need that are compared with texts. Each is compared in meaning with all words of the texts, so
 * this bounds the work. The needs of eval/suite have at most 31.
 */
const MOST_WORDS = 48;

/**
 * Returns the distinct words of a need that are specific enough to count, with their weights.
 *
 * @param fields the need's domains, each as the words that name it: a text that contains any of them shares the domain.
 */
export function needWords(description: string, fields: ReadonlyArray<readonly string[]> = []): NeedWord[] {
  const byStem = new Map<string, Omit<NeedWord, "meaning">>();
  for (const word of description.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []) {
    if (wishingWords.has(word) || byStem.has(stem(word))) {
      continue;
    }
    const weight = (wordWeight(word) - LIGHTEST) / (1 - LIGHTEST);
    if (weight > 0) {
      byStem.set(stem(word), { word, stem: padded(stem(word)), weight });
    }
  }
  const words = heaviest([...byStem.values()]).map(
    (word): NeedWord => ({ ...word, meaning: new WordOfNeed(wordsOf(word.word)[0] ?? word.word) }),
  );
  for (const names of fields) {
    words.push({
      word: "",
      stem: "",
      weight: FIELD_WEIGHT,
      stems: [...new Set(names.map((name) => padded(stem(name))))],
    });
  }
  return words;
}

/** The heaviest words, in their order. */
function heaviest<T extends Pick<NeedWord, "weight">>(words: T[]): T[] {
  if (words.length <= MOST_WORDS) {
    return words;
  }
  const kept = new Set([...words].sort((a, b) => b.weight - a.weight).slice(0, MOST_WORDS));
  return words.filter((word) => kept.has(word));
}

/** Words that requests contain, whatever they ask for. */
const wishingWords: ReadonlySet<string> = new Set(
  (
    "need needs want wants would like please build create make generate generator generation develop design find get " +
    "help looking look use using used app application system tool program software project company business startup " +
    "team customers model models ai run running runs fit fits licensed good best fast able something things lot many " +
    "long short new our your their from into about"
  ).split(" "),
);

/** The words of a text in lower case, without common English endings, so that all forms of a word match. */
function wordStems(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

function stem(word: string): string {
  if (word.length <= 4) {
    return word;
  }
  // Keep at least four letters, so that different words stay different. A final e is removed: "image" and "images" match.
  return word.replace(/(?<=.{4})(?:at(?:ions?|ing|es?|ed|ors?)|ions?|ings?|ers?|ed|es?|s|ly)$/, "");
}
