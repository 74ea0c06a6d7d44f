import { hashOf, wordsOf, wordWeight } from "../../embedding/index.ts";
import { ALIKE_FROM, SimilarWords, WordOfNeed, wordRows } from "./word-similarity.ts";

/** The words of a text, prepared for comparison with many needs. */
export interface TextWords {
  /** A number for each stem (`stemNumber`): numbers take less memory than a set of texts, and less time to compare. */
  stems: readonly number[];
  /** Rows of the vocabulary. */
  rows: Int32Array;
}

/** Words of a text with less weight are not compared in meaning, because nearly every text has them. */
const COMPARED_FROM = 0.3;
/** The most words of a text that are compared in meaning. A text names its subject first. */
const MOST_COMPARED = 80;

/** Prepares a text's words. */
export function textWords(text: string): TextWords {
  const heavy = [...new Set(wordsOf(text))].filter((word) => wordWeight(word) > COMPARED_FROM);
  const stems = [...new Set(wordStems(text))].map(stemNumber);
  return { stems, rows: wordRows(heavy.slice(0, MOST_COMPARED)) };
}

/** A number that no other stem of any text can be expected to have: of 53 bits, the most that a number holds exactly. */
function stemNumber(stem: string): number {
  return (hashOf(stem, 1) & 0x1fffff) * 2 ** 32 + hashOf(stem);
}

/**
 * The shared part of the need's word weight, 0 to 1, that a text contains. A word of similar meaning counts in part. A
 * word's weight is how specific it is in English, not how rare it is in the inventory, so that the result does not depend
 * on other models.
 *
 * @param need calls in a row are fastest if they get the same array.
 */
export function sharedPart(need: readonly NeedWord[], text: TextWords): number {
  if (last?.words !== need) {
    last = new ComparedWords(need);
  }
  return last.sharedPart(text);
}

/** The words that a text contains as the need writes them, heaviest first; without words of similar meaning. */
export function sharedWords(need: readonly NeedWord[], text: TextWords): string[] {
  return need
    .filter((word) => !word.isDomain && hasStem(word, text))
    .sort((a, b) => b.weight - a.weight)
    .map(({ word }) => word);
}

/** How much of a word of a need a text has, 0 to 1: 1 for the word itself, less for one of similar meaning. */
export function presenceOf(word: NeedWord, text: TextWords): number {
  if (hasStem(word, text)) {
    return 1;
  }
  return word.meaning === undefined ? 0 : presenceOfSimilar(word.meaning.nearest(text.rows));
}

function hasStem({ stems }: NeedWord, text: TextWords): boolean {
  return stems.some((stem) => text.stems.includes(stem));
}

/** @param cosine the cosine of the word and the most similar word of a text. */
function presenceOfSimilar(cosine: number): number {
  return Math.max(0, (cosine - ALIKE_FROM) / (1 - ALIKE_FROM));
}

/** Bits for the stems of a need, found by the last bits of their numbers: most stems of texts are none of them. */
const STEM_BITS = 1024;

/** The words of a need, arranged so that each word of a text is looked up once for all of them. */
class ComparedWords {
  readonly words: readonly NeedWord[];
  readonly #similar: SimilarWords;
  readonly #stemBits = new Int32Array(STEM_BITS / 32);
  /** The stems of all words, and the place of each one's word. */
  readonly #stems: number[] = [];
  readonly #wordOfStem: number[] = [];
  readonly #total: number;
  readonly #presences: number[];

  constructor(words: readonly NeedWord[]) {
    this.words = words;
    this.#similar = new SimilarWords(words.map(({ meaning }) => meaning));
    for (const [place, { stems }] of words.entries()) {
      for (const stem of stems) {
        this.#stems.push(stem);
        this.#wordOfStem.push(place);
        const bit = stem & (STEM_BITS - 1);
        this.#stemBits[bit >> 5] = (this.#stemBits[bit >> 5] as number) | (1 << bit);
      }
    }
    this.#total = words.reduce((total, { weight }) => total + weight, 0);
    this.#presences = words.map(() => 0);
  }

  sharedPart(text: TextWords): number {
    const { words } = this;
    const presences = this.#presences;
    if (this.#total === 0) {
      return 0;
    }
    const cosines = this.#similar.nearest(text.rows);
    for (let i = 0; i < words.length; i++) {
      presences[i] = presenceOfSimilar(cosines[i] as number);
    }
    for (let i = 0; i < text.stems.length; i++) {
      const stem = text.stems[i] as number;
      const bit = stem & (STEM_BITS - 1);
      if (((this.#stemBits[bit >> 5] as number) & (1 << bit)) !== 0) {
        this.#markWordOf(stem);
      }
    }
    let shared = 0;
    for (let i = 0; i < words.length; i++) {
      shared += (words[i] as NeedWord).weight * (presences[i] as number);
    }
    return shared / this.#total;
  }

  #markWordOf(stem: number): void {
    for (let i = 0; i < this.#stems.length; i++) {
      if (this.#stems[i] === stem) {
        this.#presences[this.#wordOfStem[i] as number] = 1;
      }
    }
  }
}

/** The words of the last call: a need is compared with hundreds of texts in turn. */
let last: ComparedWords | undefined;

/** A word of a need, prepared for comparison with many texts. */
export interface NeedWord {
  /** Empty for a domain. */
  word: string;
  /** The number of its stem. A domain has several: a text that contains any of them shares the domain. */
  stems: readonly number[];
  weight: number;
  isDomain: boolean;
  /** Compares it in meaning; absent for a domain. */
  meaning?: WordOfNeed;
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
      byStem.set(stem(word), { word, stems: [stemNumber(stem(word))], weight, isDomain: false });
    }
  }
  const words = heaviest([...byStem.values()]).map(
    (word): NeedWord => ({ ...word, meaning: new WordOfNeed(wordsOf(word.word)[0] ?? word.word) }),
  );
  for (const names of fields) {
    const stems = [...new Set(names.map((name) => stemNumber(stem(name))))];
    words.push({ word: "", stems, weight: FIELD_WEIGHT, isDomain: true });
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
