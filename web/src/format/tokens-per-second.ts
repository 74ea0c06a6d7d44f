import type { TokensPerSecond } from "../../../src/client.ts";

/** A speed as a range: "34–59 tokens/s, likely 45". */
export function speedRange({ low, likely, high }: TokensPerSecond): string {
  return `${speed(low)}–${speed(high)} tokens/s, likely ${speed(likely)}`;
}

/** One speed, with no more digits than an estimate has. */
export function speed(value: number): string {
  return value < 10 ? String(Number(value.toFixed(1))) : String(Math.round(value));
}
