import { loadVocabulary } from "../../embedding/index.ts";

/** How many dimensions of a word vector are compared: the first carry the most variance, and more take longer. */
const DIMENSIONS = 64;

/** Compares a few words with the words of many texts, in meaning. One instance serves one need. */
export interface WordSimilarity {
  /**
   * Returns, for each of the few words, its cosine with the nearest word of a text, 0 to 1. The next call reuses the
   * array.
   *
   * @param rows the text's words as rows of the vocabulary (see wordRows).
   */
  nearest(rows: Int32Array): Float32Array;
}

/** Returns the distinct vocabulary rows of words. Words that only letter groups represent have none. */
export function wordRows(words: Iterable<string>): Int32Array {
  const vocabulary = loadVocabulary();
  const rows = new Set<number>();
  for (const word of words) {
    const found = vocabulary.rowsOf(word);
    // A compound has two rows. More rows are letter groups, which are too vague to compare.
    if (found.length <= 2) {
      for (const row of found) {
        rows.add(row);
      }
    }
  }
  return Int32Array.from(rows);
}

/**
 * Compares the words of a need with the texts of its candidates. The texts share most of their words, so each row of
 * the vocabulary is compared once.
 */
export function wordSimilarity(words: readonly string[]): WordSimilarity {
  const { rows: size } = loadVocabulary();
  const wanted = words.map((word) => [...wordRows([word])]);
  /** Where a row's similarities begin, plus 1; 0 for rows that have none yet. */
  const places = new Int32Array(size);
  let known = new Float32Array(1_024 * words.length);
  let met = 0;
  const best = new Float32Array(words.length);

  const compare = (row: number): number => {
    const at = met++ * words.length;
    if (at + words.length > known.length) {
      const larger = new Float32Array(known.length * 2);
      larger.set(known);
      known = larger;
    }
    for (const [i, rows] of wanted.entries()) {
      let nearest = 0;
      for (const other of rows) {
        nearest = Math.max(nearest, cosine(row, other));
      }
      known[at + i] = nearest;
    }
    places[row] = at + 1;
    return at;
  };

  return {
    nearest(rows) {
      best.fill(0);
      for (const row of rows) {
        const place = places[row] as number;
        const at = place === 0 ? compare(row) : place - 1;
        for (let i = 0; i < best.length; i++) {
          const similarity = known[at + i] as number;
          if (similarity > (best[i] as number)) {
            best[i] = similarity;
          }
        }
      }
      return best;
    },
  };
}

/**
 * Compares one text after another with the words of many needs. The similarity of a word is computed once for all
 * needs, and dropped when the next text comes. The results are those of `wordSimilarity`.
 *
 * @returns a function that makes the instance of a need; use it for all needs.
 */
export function sharedWordSimilarity(): (words: readonly string[]) => WordSimilarity {
  let text: Int32Array | undefined;
  /** The text's similarity to each word, by the word's rows. */
  const known = new Map<string, number>();
  const nearestTo = (rows: readonly number[]): number => {
    let nearest = 0;
    for (const row of text as Int32Array) {
      for (const other of rows) {
        nearest = Math.max(nearest, cosine(row, other));
      }
    }
    return Math.fround(nearest);
  };
  return (words) => {
    const wanted = words.map((word) => [...wordRows([word])]);
    const names = wanted.map((rows) => rows.join());
    const best = new Float32Array(words.length);
    return {
      nearest(rows) {
        if (rows !== text) {
          text = rows;
          known.clear();
        }
        for (const [i, name] of names.entries()) {
          let similarity = known.get(name);
          if (similarity === undefined) {
            similarity = nearestTo(wanted[i] as number[]);
            known.set(name, similarity);
          }
          best[i] = similarity;
        }
        return best;
      },
    };
  };
}

/** Squared lengths of the vocabulary's vectors; 0 for those not computed yet. */
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
