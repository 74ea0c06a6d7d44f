/** One figure of a benchmark. */
export interface Measure {
  name: string;
  /** Such as ms, µs, MB, texts/s; x for a ratio. */
  unit: string;
  /** The median, or the figure itself if there is one sample. */
  median: number;
  p95?: number;
  p99?: number;
  /** The number of samples. */
  samples: number;
  /** The goal for the median: at most, or at least, this. */
  goal?: { most: number } | { least: number };
}

/** The result of a benchmark. */
export interface Report {
  measures: Measure[];
  /** Sentences about the method and the conditions. */
  notes: string[];
}
