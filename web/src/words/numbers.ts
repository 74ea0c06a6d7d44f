import type { TokensPerSecond } from "../../../src/client.ts";

const whole = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** A count: 1,017. */
export function count(value: number): string {
  return whole.format(value);
}

/** A large number, shortened: 8.19B, 12.8M, 40K. */
export function shortCount(value: number): string {
  return short.format(value);
}

/** "1 model", "2 models". */
export function countOf(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** A size: 83 MB, 0.71 GB, 3.1 GB, 16.4 GB, 140 GB. */
export function gigabytes(gb: number): string {
  if (gb < 0.0995) {
    return `${Number((gb * 1_000).toPrecision(2))} MB`;
  }
  if (gb < 1) {
    return `${Number(gb.toPrecision(2))} GB`;
  }
  return `${gb < 100 ? Number(gb.toFixed(1)) : Math.round(gb)} GB`;
}

/** A speed as a range: "34–59 tokens/s, likely 45". */
export function speedRange({ low, likely, high }: TokensPerSecond): string {
  return `${speed(low)}–${speed(high)} tokens/s, likely ${speed(likely)}`;
}

/** One speed, with no more digits than an estimate has. */
export function speed(value: number): string {
  return value < 10 ? String(Number(value.toFixed(1))) : String(Math.round(value));
}
