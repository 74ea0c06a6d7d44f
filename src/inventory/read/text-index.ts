import { stem } from "porter2";

/** BM25's usual parameters, which LanceDB has too. */
const K1 = 1.2;
const B = 0.75;
/** Words of this many bytes or more are left out, because nobody searches for them. */
const LONGEST_WORD = 40;
/** The most occurrences of a word in a text that count. More hardly change its score. */
const MOST_OCCURRENCES = 255;

/** Stems of English words that LanceDB does not index (0.39.0, found by searching for each). */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a about after again against ain all am an and are aren as at be been being below between both but by can couldn d " +
    "did didn do doesn don down each few for from further had hadn has hasn have haven he her here herself him " +
    "himself his how i if in into is isn it itself just ll m ma me mightn more most mustn my myself needn no nor not " +
    "now o of off on or other our out over own re s same shan she should shouldn so some such t than that the their " +
    "them then there these they this those through to too under until up ve was wasn we were weren what when where " +
    "which while who whom will with won wouldn y you your yourself"
  ).split(" "),
);

/** Letters that dropping accents does not change, with their replacements. */
const foldedLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ł: "l",
  þ: "th",
  ð: "d",
  ı: "i",
};

const wordForms = /[\p{Alphabetic}\p{N}]+/gu;

/** Splits a text into the words that LanceDB's index of the column `text` has: stemmed, without accents and stop words. */
function indexedWords(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.matchAll(wordForms)) {
    const indexed = indexedWord(word);
    if (indexed !== undefined) {
      words.push(indexed);
    }
  }
  return words;
}

function indexedWord(word: string): string | undefined {
  if (Buffer.byteLength(word) >= LONGEST_WORD) {
    return undefined;
  }
  const stemmed = stem(word.toLowerCase());
  if (stopWords.has(stemmed)) {
    return undefined;
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  return /^[\x00-\x7f]*$/.test(stemmed) ? stemmed : withoutAccents(stemmed);
}

function withoutAccents(word: string): string {
  const bare = word.normalize("NFKD").replace(/\p{M}/gu, "");
  return bare.replace(/[ßæœøđłþðı]/g, (letter) => foldedLetters[letter] as string);
}

/** An inverted index of texts, for exact BM25. Texts are numbered from 0. */
export interface TextIndex {
  /** The score of each text for a query, 0 for one that shares no word with it. */
  scores(query: string): Float32Array;
}

/** Builds a TextIndex, text by text. */
export class TextIndexBuilder {
  readonly #words = new Map<string, number>();
  /** The number of an occurring form, so that each is stemmed once; -1 for a form that is not indexed. */
  readonly #forms = new Map<string, number>();
  readonly #lengths: number[] = [];
  readonly #postings = { words: new Numbers(), texts: new Numbers(), counts: new Numbers() };

  /** Adds the next text. */
  add(text: string): void {
    const counts = new Map<number, number>();
    let length = 0;
    for (const [form] of text.matchAll(wordForms)) {
      const word = this.#wordOf(form);
      if (word >= 0) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
        length++;
      }
    }
    const number = this.#lengths.push(length) - 1;
    for (const [word, count] of counts) {
      this.#postings.words.push(word);
      this.#postings.texts.push(number);
      this.#postings.counts.push(Math.min(MOST_OCCURRENCES, count));
    }
  }

  #wordOf(form: string): number {
    let number = this.#forms.get(form);
    if (number === undefined) {
      const word = indexedWord(form);
      number = word === undefined ? -1 : (this.#words.get(word) ?? this.#words.size);
      if (word !== undefined) {
        this.#words.set(word, number);
      }
      this.#forms.set(form, number);
    }
    return number;
  }

  /** The index of all texts so far. */
  finish(): TextIndex {
    const words = this.#postings.words.all();
    const texts = this.#postings.texts.all();
    const counts = this.#postings.counts.all();
    // A counting sort by word keeps the texts of each word in order.
    const starts = new Int32Array(this.#words.size + 1);
    for (const word of words) {
      starts[word + 1] = (starts[word + 1] as number) + 1;
    }
    for (let word = 0; word < this.#words.size; word++) {
      starts[word + 1] = (starts[word + 1] as number) + (starts[word] as number);
    }
    const next = starts.slice(0, -1);
    const sortedTexts = new Int32Array(words.length);
    const sortedCounts = new Uint8Array(words.length);
    for (let i = 0; i < words.length; i++) {
      const at = next[words[i] as number] as number;
      next[words[i] as number] = at + 1;
      sortedTexts[at] = texts[i] as number;
      sortedCounts[at] = counts[i] as number;
    }
    return indexOf(this.#words, starts, sortedTexts, sortedCounts, this.#lengths);
  }
}

function indexOf(
  words: ReadonlyMap<string, number>,
  starts: Int32Array,
  texts: Int32Array,
  counts: Uint8Array,
  lengths: readonly number[],
): TextIndex {
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  const norms = Float32Array.from(lengths, (length) => K1 * (1 - B + (B * length) / Math.max(1, average)));
  return {
    scores(query) {
      const scores = new Float32Array(lengths.length);
      for (const word of indexedWords(query)) {
        const number = words.get(word);
        if (number === undefined) {
          continue;
        }
        const from = starts[number] as number;
        const until = starts[number + 1] as number;
        const weight = (K1 + 1) * Math.log((lengths.length - (until - from) + 0.5) / (until - from + 0.5) + 1);
        for (let i = from; i < until; i++) {
          const text = texts[i] as number;
          const count = counts[i] as number;
          scores[text] = (scores[text] as number) + (weight * count) / (count + (norms[text] as number));
        }
      }
      return scores;
    },
  };
}

/** A growing list of whole numbers, in four bytes each. */
class Numbers {
  #values = new Int32Array(1_024);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const larger = new Int32Array(2 * this.#length);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  all(): Int32Array {
    return this.#values.subarray(0, this.#length);
  }
}
