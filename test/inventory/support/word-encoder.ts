import type { Encoder } from "../../../src/embedding/static/static-encoder.ts";

/** An encoder for tests, which counts its texts. */
export interface WordEncoder extends Encoder {
  readonly encoded: { texts: number };
}

/** A minimal encoder: each word has a dimension that depends on the encoder's id. */
export function wordEncoder(
  id: string,
  dimensions = 16,
  /** Awaited before texts are encoded. */
  wait: (encoded: number) => unknown = () => {},
): WordEncoder {
  const encoded = { texts: 0 };
  return {
    id,
    dimensions,
    encoded,
    async encode(texts) {
      await wait(encoded.texts);
      encoded.texts += texts.length;
      return texts.map((text) => vectorOf(text, id, dimensions));
    },
    async close() {},
  };
}

function vectorOf(text: string, id: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    vector[hash(id + word) % dimensions]! += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function hash(text: string): number {
  let value = 7;
  for (const char of text) {
    value = (value * 31 + char.charCodeAt(0)) % 1_000_003;
  }
  return value;
}
