const whole = new Intl.NumberFormat("en-US");
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

/** A number of things: 1,017. */
export function count(value: number): string {
  return whole.format(value);
}

/** A large number in few characters: 8.19B, 12.8M, 40K. */
export function shortCount(value: number): string {
  return short.format(value);
}

/** "1 model", "2 models". */
export function countOf(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}
