import { loadVocabulary } from "../../embedding/index.ts";

/** How many dimensions of a word vector are compared: the first tell most, and time is short. */
const DIMENSIONS = 64;

/** Tells how alike in meaning words of many texts are to a few given ones. One instance serves one need. */
export interface WordSimilarity {
  /**
   * For each given word, the cosine with the nearest of a text's words: 0 to 1. The array is reused by the next call.
   *
   * @param rows the text's words as rows of the vocabulary (see wordRows).
   */
  nearest(rows: Int32Array): Float32Array;
}

/** The rows of the bundled vocabulary that stand for words, each once; words spelled by letter groups alone have none. */
export function wordRows(words: Iterable<string>): Int32Array {
  const vocabulary = loadVocabulary();
  const rows = new Set<number>();
  for (const word of words) {
    const found = vocabulary.rowsOf(word);
    // More than the two parts of a compound are letter groups: a guess, too vague to compare.
    if (found.length <= 2) {
      for (const row of found) {
        rows.add(row);
      }
    }
  }
  return Int32Array.from(rows);
}

/**
 * Compares the texts of a need's candidates with the need's words. Texts share most of their words, so each word of the
 * vocabulary is compared once.
 */
export function wordSimilarity(words: readonly string[]): WordSimilarity {
  const { rows: size } = loadVocabulary();
  const wanted = words.map((word) => [...wordRows([word])]);
  /** Where a row's similarities begin, plus 1; 0 for rows not met yet. */
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
 * Compares one text after another with the words of many needs: what is worked out for a word of one need serves all,
 * and nothing is kept when the next text comes. The similarities are those of wordSimilarity.
 *
 * @returns what makes the instance of a need, to be used for all of them alike.
 */
export function sharedWordSimilarity(): (words: readonly string[]) => WordSimilarity {
  let text: Int32Array | undefined;
  /** How near the text comes to each word that was asked for, by the word's rows. */
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

/** Squared lengths of the vocabulary's vectors; 0 for those not asked for yet. */
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
