import type { Encoder } from "../embedding/encoder.ts";
import { takingTurns } from "./turns.ts";

/** Texts encoded at a time: more make the batches of a transformers.js model no faster. */
const TEXTS_AT_ONCE = 64;

/** The vectors of many texts, made so that a server goes on answering. @throws what `signal` is aborted with. */
export async function encodeAll(
  encoder: Encoder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  const turn = takingTurns();
  for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
    vectors.push(...(await encoder.encode(texts.slice(from, from + TEXTS_AT_ONCE))));
    signal?.throwIfAborted();
    await turn();
  }
  return vectors;
}
