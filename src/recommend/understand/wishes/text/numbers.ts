import type { Text } from "./text.ts";

const wordNumbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  single: 1,
  two: 2,
  dual: 2,
  twin: 2,
  three: 3,
  four: 4,
  quad: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  fifteen: 15,
  sixteen: 16,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  half: 0.5,
};

const multipliers: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mio: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  hundred: 100,
};

/** A number and its tokens, both inclusive. */
export interface TextNumber {
  value: number;
  from: number;
  to: number;
}

/** Whether the token is written in digits. */
export function isDigits(word: string): boolean {
  return word >= "0" && word < ":";
}

/** Parses digits: "1,500" is 1500, "1.5" and "1,5" are 1.5; undefined for "1.2.3". */
export function parseDigits(word: string): number | undefined {
  if (/^\d{1,3}(?:,\d{3}){1,4}$/.test(word)) {
    return Number(word.replaceAll(",", ""));
  }
  if (/^\d{1,12}(?:[.,]\d{1,6})?$/.test(word)) {
    return Number(word.replace(",", "."));
  }
  return undefined;
}

/** The number that ends at a token, with a multiplier: "100k", "2 million", "eighty", "two hundred". */
export function numberEndingAt(text: Text, to: number): TextNumber | undefined {
  const last = text.word(to);
  const multiplier = multipliers[last];
  if (multiplier !== undefined && Object.hasOwn(multipliers, last)) {
    const base = text.tokens[to]?.gap === 0 ? plainNumberAt(text, to - 1) : undefined;
    if (base !== undefined) {
      return { value: base * multiplier, from: to - 1, to };
    }
    return last.length > 2 ? { value: multiplier, from: to, to } : undefined;
  }
  const plain = plainNumberAt(text, to);
  return plain === undefined ? undefined : { value: plain, from: to, to };
}

function plainNumberAt(text: Text, at: number): number | undefined {
  const word = text.word(at);
  if (isDigits(word)) {
    return parseDigits(word);
  }
  return Object.hasOwn(wordNumbers, word) ? wordNumbers[word] : undefined;
}

/** Gigabytes (10^9 bytes) in a unit, by the unit in lower case. `gb` is 10^9 bytes, even if people mean GiB. */
export const gigabytesPerUnit: Readonly<Record<string, number>> = {
  gb: 1,
  gbs: 1,
  gig: 1,
  gigs: 1,
  gigabyte: 1,
  gigabytes: 1,
  gib: 1.073741824,
  go: 1,
  mb: 0.001,
  mbs: 0.001,
  meg: 0.001,
  megs: 0.001,
  megabyte: 0.001,
  megabytes: 0.001,
  mib: 0.001048576,
  kb: 0.000001,
  kilobyte: 0.000001,
  kilobytes: 0.000001,
  kib: 0.000001024,
};

/** The units that start a phrase. `go` (French for GB) is left out, because it is an English word. */
export const byteUnits = Object.keys(gigabytesPerUnit)
  .filter((unit) => unit !== "go")
  .join("|");

/** Formats gigabytes as people say them: 2 GB, 500 MB, 20 KB. */
export function sizeText(gigabytes: number): string {
  const [figure, unit] =
    gigabytes >= 1 ? [gigabytes, "GB"] : gigabytes >= 0.001 ? [gigabytes * 1e3, "MB"] : [gigabytes * 1e6, "KB"];
  return `${Number(figure.toPrecision(4))} ${unit}`;
}
