/** One figure of a benchmark. */
export interface Measure {
  name: string;
  /** Such as ms, µs, MB, texts/s; x for a ratio. */
  unit: string;
  /** The median, or the figure itself where it is taken once. */
  median: number;
  p95?: number;
  p99?: number;
  /** How many samples the figures are of. */
  samples: number;
  /** What the median should be: at most, or at least, this. */
  goal?: { most: number } | { least: number };
}

/** What a benchmark found. */
export interface Report {
  measures: Measure[];
  /** How it was measured, and what else there is to know, as sentences. */
  notes: string[];
}
