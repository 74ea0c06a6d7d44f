/**
 * Spearman's rank correlation of two lists of the same length, −1 to 1; equal values share their mean rank. NaN if the
 * lists have fewer than two values, or all values of one are equal.
 */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const x = ranksOf(a);
  const y = ranksOf(b);
  const mean = (a.length - 1) / 2;
  let both = 0;
  let ofX = 0;
  let ofY = 0;
  for (const [i, rank] of x.entries()) {
    const dx = rank - mean;
    const dy = (y[i] as number) - mean;
    both += dx * dy;
    ofX += dx * dx;
    ofY += dy * dy;
  }
  return both / Math.sqrt(ofX * ofY);
}

function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).sort((a, b) => a.value - b.value);
  const ranks: number[] = new Array(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (order[to + 1]?.value === order[from]?.value) {
      to++;
    }
    for (let i = from; i <= to; i++) {
      ranks[(order[i] as { at: number }).at] = (from + to) / 2;
    }
    from = to + 1;
  }
  return ranks;
}
