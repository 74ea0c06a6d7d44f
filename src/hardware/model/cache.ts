import type { Layout } from "./layout.ts";

/**
 * Bytes of the cache of keys and values for one sequence.
 *
 * Full layers x tokens + windowed layers x min(tokens, window), each times the elements that a layer stores for a
 * token (2 x KV heads x head size, or the latent size) and the bytes of an element. Fixed states (Mamba, linear
 * attention, short convolutions) are a few megabytes and counted with the runtime's overhead.
 *
 * @param tokens Context length in tokens.
 * @param elementBytes 2 for 16-bit caches, 1 for 8-bit ones.
 */
export function cacheBytes(layout: Layout, tokens: number, elementBytes: number): number {
  const windowed = Math.min(tokens, layout.window) * layout.windowElementsPerToken;
  return (tokens * layout.elementsPerToken + windowed) * elementBytes;
}

/**
 * Bytes of one cached element by type, as runtimes name them: for GGUF's types a block's bytes over its 32 elements
 * (ggml-common.h: Q8_0 34, Q5_1 24, Q5_0 22, Q4_1 20, Q4_0 18), one byte for 8-bit floats.
 */
export const cacheTypes = {
  f32: 4,
  f16: 2,
  bf16: 2,
  fp8: 1,
  q8_0: 34 / 32,
  q5_1: 24 / 32,
  q5_0: 22 / 32,
  q4_1: 20 / 32,
  q4_0: 18 / 32,
} as const;

/** A type that keys and values can be kept in. */
export type CacheType = keyof typeof cacheTypes;
