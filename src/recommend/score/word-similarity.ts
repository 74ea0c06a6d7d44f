import { loadVocabulary } from "../../embedding/index.ts";

/** Below this cosine two words are unrelated. */
export const ALIKE_FROM = 0.5;
/** How many dimensions of a word vector are compared: the first carry the most variance, and more take longer. */
const DIMENSIONS = 64;
/** The most words of needs that are kept in memory, about 1 kB each. */
const KEPT_WORDS = 5_000;

/** Rows of the vocabulary that occur in texts, in the order in which they were first met. */
const metRows: number[] = [];
/** For each row of the vocabulary the number of the last text that had it; 0 for a row that no text had. */
let lastTextOf = new Int32Array(0);
let textsMarked = 0;
let marked: Int32Array | undefined;

/** Returns the distinct vocabulary rows of a text's words. Words that only letter groups represent have none. */
export function wordRows(words: Iterable<string>): Int32Array {
  return Int32Array.from(new Set([...words].flatMap(rowsOf)));
}

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

  /**
   * The greatest cosine with a word of a text, from ALIKE_FROM to 1; 0 without such a word.
   *
   * @param rows the text's words as `wordRows` gives them. The same array in successive calls takes least time.
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

/** Marks the rows of a text, and notes those that no text had before. */
function mark(rows: Int32Array): void {
  if (rows === marked) {
    return;
  }
  if (lastTextOf.length === 0) {
    lastTextOf = new Int32Array(loadVocabulary().rows);
  }
  marked = rows;
  textsMarked++;
  for (const row of rows) {
    if (lastTextOf[row] === 0) {
      metRows.push(row);
    }
    lastTextOf[row] = textsMarked;
  }
}

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
  readonly #row: number;
  readonly #similar: { rows: number[]; cosines: number[] } = { rows: [], cosines: [] };
  /** How many of the met rows have been compared. */
  #compared = 0;

  constructor(row: number) {
    this.#row = row;
  }

  /** Those of all texts so far. */
  similarWords(): { rows: readonly number[]; cosines: readonly number[] } {
    for (; this.#compared < metRows.length; this.#compared++) {
      const other = metRows[this.#compared] as number;
      const found = cosine(this.#row, other);
      if (found > ALIKE_FROM) {
        this.#similar.rows.push(other);
        this.#similar.cosines.push(Math.fround(found));
      }
    }
    return this.#similar;
  }
}

/** Squared lengths of the first dimensions of the vocabulary's vectors; 0 for those not computed yet. */
let squares = new Float64Array(0);

function squareOf(row: number): number {
  const { vectors, dimensions, rows } = loadVocabulary();
  if (squares.length !== rows) {
    squares = new Float64Array(rows);
  }
  let square = squares[row] as number;
  if (square > 0) {
    return square;
  }
  for (let i = row * dimensions; i < row * dimensions + DIMENSIONS; i++) {
    square += (vectors[i] as number) ** 2;
  }
  squares[row] = square;
  return square;
}

function cosine(a: number, b: number): number {
  const { vectors, dimensions } = loadVocabulary();
  const one = a * dimensions;
  const other = b * dimensions;
  let sum = 0;
  for (let i = 0; i < DIMENSIONS; i++) {
    sum += (vectors[one + i] as number) * (vectors[other + i] as number);
  }
  return sum <= 0 ? 0 : sum / Math.sqrt(squareOf(a) * squareOf(b));
}
