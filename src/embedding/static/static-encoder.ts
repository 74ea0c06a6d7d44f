import { wordsOf } from "./static-tokens.ts";
import { loadVocabulary } from "./static-vocabulary.ts";

/** Words of a text that are encoded, from its start. */
const MAX_WORDS = 400;
/** Dimensions for the general meaning. The rest of a vector distinguishes tasks. */
const MEANING_DIMENSIONS = 80;
/** Share of the task dimensions in the similarity of two texts. */
const TASK_SHARE = 0.7;

/** Turns texts into vectors. The dot product of two vectors says how close their texts are in meaning. */
export interface Encoder {
  /** Names the encoder and its version. Vectors of different ids cannot be compared. */
  readonly id: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * @returns a vector of length 1 for each text, in order. All zeros for a text without a known word.
   */
  encode(texts: readonly string[]): Promise<Float32Array[]>;
  /** Frees what the encoder holds. */
  close(): Promise<void>;
}

/** The bundled encoder, which can also be called synchronously. */
export interface StaticEncoder extends Encoder {
  /** A vector of length 1, or all zeros for a text without a known word. Takes some ten microseconds for a need. */
  encodeOne(text: string): Float32Array;
}

let loaded: StaticEncoder | undefined;

/**
 * The bundled encoder: weighted means of word vectors, one for general meaning and one trained to bring needs close to
 * the texts of models for their task. Loads once per process, in milliseconds.
 */
export function loadStaticEncoder(): StaticEncoder {
  loaded ??= createStaticEncoder();
  return loaded;
}

function createStaticEncoder(): StaticEncoder {
  const vocabulary = loadVocabulary();
  const { taskDimensions } = vocabulary;

  const encodeOne = (text: string): Float32Array => {
    const vector = new Float32Array(MEANING_DIMENSIONS + taskDimensions);
    const words = wordsOf(text);
    const count = Math.min(words.length, MAX_WORDS);
    for (let at = 0; at < count; at++) {
      const rows = vocabulary.rowsOf(words[at]!);
      for (const row of rows) {
        const weight = vocabulary.weights[row]! / rows.length;
        addRow(
          vector,
          0,
          vocabulary.vectors,
          row * vocabulary.dimensions,
          MEANING_DIMENSIONS,
          weight * vocabulary.scales[row]!,
        );
        addRow(
          vector,
          MEANING_DIMENSIONS,
          vocabulary.taskVectors,
          row * taskDimensions,
          taskDimensions,
          weight * vocabulary.taskScales[row]!,
        );
      }
    }
    scaleTo(vector.subarray(0, MEANING_DIMENSIONS), Math.sqrt(1 - TASK_SHARE));
    scaleTo(vector.subarray(MEANING_DIMENSIONS), Math.sqrt(TASK_SHARE));
    return vector;
  };

  return {
    id: `static-1-${vocabulary.id}`,
    dimensions: MEANING_DIMENSIONS + taskDimensions,
    encode: async (texts) => texts.map(encodeOne),
    encodeOne,
    close: async () => {},
  };
}

function addRow(into: Float32Array, at: number, rows: Int8Array, from: number, count: number, factor: number): void {
  for (let place = 0; place < count; place++) {
    into[at + place]! += factor * rows[from + place]!;
  }
}

/** Scales a vector to a length, in place. A vector of zeros stays as it is. */
function scaleTo(vector: Float32Array, length: number): void {
  let squares = 0;
  for (let place = 0; place < vector.length; place++) {
    squares += vector[place]! * vector[place]!;
  }
  if (squares === 0) {
    return;
  }
  const factor = length / Math.sqrt(squares);
  for (let place = 0; place < vector.length; place++) {
    vector[place]! *= factor;
  }
}
