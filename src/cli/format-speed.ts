/** A range of tokens a second: "12 to 20 tokens/s", "0.8 to 1.5 tokens/s". */
export function formatSpeed({ low, high }: { low: number; high: number }): string {
  const [from, to] = [figure(low), figure(high)];
  return `${from === to ? from : `${from} to ${to}`} tokens/s`;
}

function figure(speed: number): string {
  return speed >= 10 ? String(Math.round(speed)) : String(Number(speed.toPrecision(2)));
}
