/** The first results with a score from `from` to the next band, and how many of them suit. */
export interface ScoreBand {
  from: number;
  suits: number;
  total: number;
}

const starts = [0, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9];

/** Creates empty bands. */
export function emptyBands(): ScoreBand[] {
  return starts.map((from) => ({ from, suits: 0, total: 0 }));
}

/** Counts a first result; does nothing without one. */
export function countScore(bands: readonly ScoreBand[], score: number | undefined, suits: boolean): void {
  const band = bands.findLast(({ from }) => score !== undefined && score >= from);
  if (band === undefined) {
    return;
  }
  band.total++;
  if (suits) {
    band.suits++;
  }
}
