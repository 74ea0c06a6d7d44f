import { ArrayPacker, loadVocabulary } from "../../embedding/index.ts";

/** Below this cosine two words are unrelated. */
export const ALIKE_FROM = 0.5;
/** How many dimensions of a word vector are compared. The first ones have the most variance, and more take longer. */
const DIMENSIONS = 64;
/** After this many dimensions, most pairs of words are clearly unrelated. */
const FIRST_DIMENSIONS = 16;
/** The most words of needs that are kept in memory, about 1 kB each. */
const KEPT_WORDS = 5_000;

/** The mark of a row that texts have and that is not marked yet. */
const MET = -1;
/** The number of the marked text that had a row of the vocabulary last; 0 for a row that no text had. */
let lastTextOf = new Int32Array(0);
let textsMarked = 0;
let marked: Int32Array | undefined;

/** Returns the distinct vocabulary rows of a text's words. Words that only letter groups represent have none. */
export function wordRows(words: Iterable<string>): Int32Array {
  const rows = packer.pack(Int32Array.from(new Set([...words].flatMap(rowsOf))));
  meet(rows);
  return rows;
}

const packer = new ArrayPacker<Int32Array>(Int32Array);

function rowsOf(word: string): readonly number[] {
  const found = loadVocabulary().rowsOf(word);
  // A compound has two rows. More rows are letter groups, which are too vague to compare.
  return found.length <= 2 ? found : [];
}

/**
 * Compares a word of a need with the words of many texts, in meaning.
 *
 * All texts together have some thousand different words. So a word is compared with each of them once in a process, and
 * not again for every text and need.
 */
export class WordOfNeed {
  readonly #comparisons: Comparison[];

  constructor(word: string) {
    this.#comparisons = rowsOf(word).map(comparisonOf);
  }

  /** The words of all texts so far that are similar to each of the word's rows. */
  similarWords(): ReadonlyArray<ReturnType<Comparison["similarWords"]>> {
    return this.#comparisons.map((comparison) => comparison.similarWords());
  }

  /**
   * The greatest cosine with a word of a text, from ALIKE_FROM to 1; 0 without such a word.
   *
   * @param rows the text's words as `wordRows` gives them. Calls in a row are fastest with the same array.
   */
  nearest(rows: Int32Array): number {
    mark(rows);
    let nearest = 0;
    for (const comparison of this.#comparisons) {
      const { rows: similar, cosines } = comparison.similarWords();
      for (let i = 0; i < similar.length; i++) {
        if (lastTextOf[similar[i] as number] === textsMarked && (cosines[i] as number) > nearest) {
          nearest = cosines[i] as number;
        }
      }
    }
    return nearest;
  }
}

/**
 * Compares all words of a need with the words of many texts, in meaning. Each word of a text is looked up once for all
 * words of the need, in a table of similar words. There is one table, which is built again for each need.
 */
export class SimilarWords {
  readonly #words: ReadonlyArray<WordOfNeed | undefined>;
  readonly #nearest: number[];

  /** @param words of the need; undefined for one that is not compared in meaning. */
  constructor(words: ReadonlyArray<WordOfNeed | undefined>) {
    this.#words = words;
    this.#nearest = words.map(() => 0);
  }

  /** For each word what `WordOfNeed.nearest` gives. The next call reuses the array. */
  nearest(rows: Int32Array): readonly number[] {
    table ??= new SimilarityTable();
    table.hold(this.#words);
    const nearest = this.#nearest;
    for (let i = 0; i < nearest.length; i++) {
      nearest[i] = 0;
    }
    table.raise(nearest, rows);
    return nearest;
  }
}

/** The words of texts that are similar to a word of the need in question, found by their rows. */
class SimilarityTable {
  #words: ReadonlyArray<WordOfNeed | undefined> = [];
  /** How many rows had been met when the table was made. */
  #met = 0;
  /** A bit for each row: most words of texts are similar to none. */
  readonly #bits = new Int32Array(Math.ceil(loadVocabulary().rows / 32));
  /** By row: 1 plus the place of its last entry; 0 for none. Unused room takes no memory. */
  readonly #entryOf = new Int32Array(loadVocabulary().rows);
  /**
   * The entries: the row, the place of the need's word, the cosine, and 1 plus the place of the row's entry before it. The
   * lists keep their length, so that the next need finds room.
   */
  #entries = 0;
  readonly #rowOf: number[] = [];
  readonly #wordOf: number[] = [];
  readonly #cosines: number[] = [];
  readonly #before: number[] = [];

  /** Makes the table for a need, unless it is for this one and no further rows have been met. */
  hold(words: ReadonlyArray<WordOfNeed | undefined>): void {
    const count = met?.count ?? 0;
    if (this.#words === words && this.#met === count) {
      return;
    }
    for (let entry = 0; entry < this.#entries; entry++) {
      const row = this.#rowOf[entry] as number;
      this.#bits[row >> 5] = 0;
      this.#entryOf[row] = 0;
    }
    this.#entries = 0;
    this.#words = words;
    this.#met = count;
    for (const [place, word] of words.entries()) {
      for (const { rows, cosines } of word?.similarWords() ?? []) {
        for (let i = 0; i < rows.length; i++) {
          this.#add(place, rows[i] as number, cosines[i] as number);
        }
      }
    }
  }

  #add(place: number, row: number, cosine: number): void {
    this.#bits[row >> 5] = (this.#bits[row >> 5] as number) | (1 << row);
    const entry = this.#entries++;
    this.#rowOf[entry] = row;
    this.#wordOf[entry] = place;
    this.#cosines[entry] = cosine;
    this.#before[entry] = this.#entryOf[row] as number;
    this.#entryOf[row] = entry + 1;
  }

  /** Raises the greatest cosine of each word to those with the words of a text. */
  raise(nearest: number[], rows: Int32Array): void {
    const bits = this.#bits;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i] as number;
      if (((bits[row >> 5] as number) & (1 << row)) === 0) {
        continue;
      }
      for (let entry = this.#entryOf[row] as number; entry > 0; entry = this.#before[entry - 1] as number) {
        const place = this.#wordOf[entry - 1] as number;
        nearest[place] = Math.max(nearest[place] as number, this.#cosines[entry - 1] as number);
      }
    }
  }
}

let table: SimilarityTable | undefined;

/** Notes the rows of a text that no text had before. */
function meet(rows: Int32Array): void {
  met ??= new MetRows();
  if (lastTextOf.length === 0) {
    lastTextOf = new Int32Array(loadVocabulary().rows);
  }
  for (const row of rows) {
    if (lastTextOf[row] === 0) {
      met.add(row);
      lastTextOf[row] = MET;
    }
  }
}

/** Marks the rows of a text. */
function mark(rows: Int32Array): void {
  if (rows === marked) {
    return;
  }
  marked = rows;
  textsMarked++;
  for (const row of rows) {
    lastTextOf[row] = textsMarked;
  }
}

/** The rows of the vocabulary that occur in texts, in the order in which they were first met. */
class MetRows {
  count = 0;
  // Room for the whole vocabulary. Unused room takes no memory.
  readonly rows = new Int32Array(loadVocabulary().rows);
  /** Their first dimensions, one after the other. */
  readonly vectors = new Int8Array(this.rows.length * DIMENSIONS);
  /** Their lengths, and the lengths of what follows FIRST_DIMENSIONS. */
  readonly lengths = new Float64Array(this.rows.length);
  readonly restLengths = new Float64Array(this.rows.length);

  add(row: number): void {
    const { vector, length, restLength } = comparedOf(row);
    this.rows[this.count] = row;
    this.vectors.set(vector, this.count * DIMENSIONS);
    this.lengths[this.count] = length;
    this.restLengths[this.count] = restLength;
    this.count++;
  }

  /** The cosine of a word with the row at a place if it is above ALIKE_FROM, else 0. */
  similarity(word: Compared, place: number): number {
    const { vectors } = this;
    const length = word.length * (this.lengths[place] as number);
    let product = 0;
    let at = place * DIMENSIONS;
    for (let i = 0; i < FIRST_DIMENSIONS; i++, at++) {
      product += (word.vector[i] as number) * (vectors[at] as number);
    }
    // The rest adds at most the product of its lengths, which settles most pairs.
    if (product + word.restLength * (this.restLengths[place] as number) <= ALIKE_FROM * length) {
      return 0;
    }
    for (let i = FIRST_DIMENSIONS; i < DIMENSIONS; i++, at++) {
      product += (word.vector[i] as number) * (vectors[at] as number);
    }
    return product > ALIKE_FROM * length ? product / length : 0;
  }
}

let met: MetRows | undefined;

/** The words of needs by their rows. What is similar depends on the vocabulary alone, so they serve all needs. */
const comparisons = new Map<number, Comparison>();

function comparisonOf(row: number): Comparison {
  let comparison = comparisons.get(row);
  if (comparison === undefined) {
    if (comparisons.size >= KEPT_WORDS) {
      comparisons.clear();
    }
    comparison = new Comparison(row);
    comparisons.set(row, comparison);
  }
  return comparison;
}

/** The words of texts that are similar to one word, in no order, with their cosines. */
class Comparison {
  readonly #word: Compared;
  readonly #similar: { rows: number[]; cosines: number[] } = { rows: [], cosines: [] };
  /** How many of the met rows have been compared. */
  #compared = 0;

  constructor(row: number) {
    this.#word = comparedOf(row);
  }

  /** The similar words of all texts so far. */
  similarWords(): { rows: readonly number[]; cosines: readonly number[] } {
    const { count, rows } = met as MetRows;
    for (; this.#compared < count; this.#compared++) {
      const cosine = (met as MetRows).similarity(this.#word, this.#compared);
      if (cosine > 0) {
        this.#similar.rows.push(rows[this.#compared] as number);
        this.#similar.cosines.push(Math.fround(cosine));
      }
    }
    return this.#similar;
  }
}

/** What is compared of a row: its first dimensions, their length, and the length of those after FIRST_DIMENSIONS. */
interface Compared {
  vector: Int8Array;
  length: number;
  restLength: number;
}

function comparedOf(row: number): Compared {
  const { vectors, dimensions } = loadVocabulary();
  const vector = vectors.subarray(row * dimensions, row * dimensions + DIMENSIONS);
  const lengthFrom = (first: number) =>
    Math.sqrt(vector.subarray(first).reduce((sum, value) => sum + value * value, 0));
  return { vector, length: lengthFrom(0), restLength: lengthFrom(FIRST_DIMENSIONS) };
}
