import type { Layout } from "./layout.ts";

/**
 * Bytes of the cache of keys and values for one sequence.
 *
 * Full layers x tokens + windowed layers x min(tokens, window), each times the elements that a layer stores for a
 * token (2 x KV heads x head size, or the latent size) and the bytes of an element. Fixed states (Mamba, linear
 * attention, short convolutions) are a few megabytes and counted with the run time's overhead.
 *
 * @param tokens Context length in tokens.
 * @param elementBytes 2 for 16-bit caches, 1 for 8-bit ones.
 */
export function cacheBytes(layout: Layout, tokens: number, elementBytes: number): number {
  const windowed = Math.min(tokens, layout.window) * layout.windowElementsPerToken;
  return (tokens * layout.elementsPerToken + windowed) * elementBytes;
}
