import { randomFillSync } from "node:crypto";

/** Lower case and digits only, in the order of every PostgreSQL collation. */
const ALPHABET = "0123456789abcdefghijklmnopqrstuv";
/** 50 bits hold the milliseconds until the year 37,648. */
const TIME_CHARS = 10;
/** 80 bits: two ids of one millisecond are never equal. */
const RANDOM_CHARS = 16;

/** Random bytes for the next ids: the system gives many at once in hardly more time than a few. */
const random = new Uint8Array(256 * RANDOM_CHARS);
let used = random.length;

/** A new id such as `own_01jk2m…`, without colons. Ids sort by creation time. @param nowMs since 1970. */
export function newId(prefix: string, nowMs: number): string {
  const time = nowMs.toString(ALPHABET.length).padStart(TIME_CHARS, "0");
  return `${prefix}_${time}${randomChars()}`;
}

function randomChars(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  let chars = "";
  for (const end = used + RANDOM_CHARS; used < end; used++) {
    // 256 is a multiple of 32, so all characters are equally likely.
    chars += ALPHABET[(random[used] as number) % ALPHABET.length];
  }
  return chars;
}
