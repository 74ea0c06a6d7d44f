import type { Measure } from "./report.ts";

/** The median, from 20 samples on the 95th percentile, from 100 on the 99th: with fewer they would be the maximum. */
export function summarise(samples: readonly number[]): Pick<Measure, "median" | "p95" | "p99" | "samples"> {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? at(0.5) : ((sorted[middle - 1] ?? Number.NaN) + at(0.5)) / 2;
  return {
    median,
    p95: sorted.length >= 20 ? at(0.95) : undefined,
    p99: sorted.length >= 100 ? at(0.99) : undefined,
    samples: sorted.length,
  };
}
