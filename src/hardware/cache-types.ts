/**
 * Bytes of one cached element by type, as run times name them: a block's bytes over its 32 elements for GGUF's types
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
