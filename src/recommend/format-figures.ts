/** Formats gigabytes (10^9 bytes) for people: "45 MB", "0.45 GB", "3.2 GB", "140 GB". */
export function formatGb(gb: number): string {
  if (gb >= 99.5) {
    return `${Math.round(gb)} GB`;
  }
  if (gb >= 0.995) {
    return `${Number(gb.toFixed(1))} GB`;
  }
  if (gb >= 0.0995) {
    return `${Number(gb.toFixed(2))} GB`;
  }
  return `${Math.max(1, Math.round(gb * 1000))} MB`;
}

/** Formats a count for people: "512", "131,072", "7.6 billion". */
export function formatCount(count: number): string {
  if (count >= 1e12) {
    return `${Number((count / 1e12).toPrecision(3))} trillion`;
  }
  if (count >= 1e9) {
    return `${Number((count / 1e9).toPrecision(3))} billion`;
  }
  if (count >= 1e6) {
    return `${Number((count / 1e6).toPrecision(3))} million`;
  }
  return Math.round(count).toLocaleString("en");
}
