import type { Encoder } from "./encoder.ts";
import { wordsOf } from "./static-tokens.ts";
import { loadVocabulary } from "./static-vocabulary.ts";

/** Words of a text that are encoded: the first this many. */
const MAX_WORDS = 400;

/** The encoder that comes with the product; also usable without waiting. */
export interface StaticEncoder extends Encoder {
  /** One vector of length 1; all zeros for a text with no known word. Some ten microseconds a need. */
  encodeOne(text: string): Float32Array;
}

let loaded: StaticEncoder | undefined;

/** The bundled encoder: weighted mean of word vectors. Loads in milliseconds, once a process. */
export function loadStaticEncoder(): StaticEncoder {
  loaded ??= createStaticEncoder();
  return loaded;
}

function createStaticEncoder(): StaticEncoder {
  const vocabulary = loadVocabulary();
  const { dimensions, vectors, scales, weights } = vocabulary;

  const encodeOne = (text: string): Float32Array => {
    const sum = new Float32Array(dimensions);
    const words = wordsOf(text);
    const count = Math.min(words.length, MAX_WORDS);
    for (let at = 0; at < count; at++) {
      const rows = vocabulary.rowsOf(words[at]!);
      for (const row of rows) {
        const factor = (weights[row]! * scales[row]!) / rows.length;
        const start = row * dimensions;
        for (let place = 0; place < dimensions; place++) sum[place]! += factor * vectors[start + place]!;
      }
    }
    let squares = 0;
    for (let place = 0; place < dimensions; place++) squares += sum[place]! * sum[place]!;
    if (squares > 0) {
      const length = Math.sqrt(squares);
      for (let place = 0; place < dimensions; place++) sum[place]! /= length;
    }
    return sum;
  };

  return {
    id: `static-${vocabulary.id}`,
    dimensions,
    encode: async (texts) => texts.map(encodeOne),
    encodeOne,
    close: async () => {},
  };
}
