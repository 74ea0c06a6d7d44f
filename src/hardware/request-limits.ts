/** The highest figures that an estimate takes. The API reference tells the same. */
export const requestLimits = {
  /** Devices of one machine. */
  gpus: 16,
  /** Tokens of a context or a prompt. */
  tokens: 100_000_000,
  /** No model comes near; keeps sums finite. */
  parameters: 1e15,
  /** Gigabytes of memory, and gigabytes a second. */
  gb: 1e6,
} as const;
