/** A size as people read it: 83 MB, 0.71 GB, 3.1 GB, 16.4 GB, 140 GB. */
export function gigabytes(gb: number): string {
  if (gb < 0.0995) {
    return `${Number((gb * 1_000).toPrecision(2))} MB`;
  }
  if (gb < 1) {
    return `${Number(gb.toPrecision(2))} GB`;
  }
  return `${gb < 100 ? Number(gb.toFixed(1)) : Math.round(gb)} GB`;
}
