const steps = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** A count in a few characters, as model names write it: "7.6B", "244M", "131k", "512". */
export function shortCount(count: number): string {
  // 999,950 rounds to 1,000k, which is 1M.
  const step = steps.find(([size]) => count >= size * 0.9995);
  if (step === undefined) return String(Math.round(count));
  return `${Number((count / step[0]).toPrecision(3))}${step[1]}`;
}
