import { randomBytes } from "node:crypto";

/** Lower case and digits only, in the order of every PostgreSQL collation. */
const ALPHABET = "0123456789abcdefghijklmnopqrstuv";
/** 50 bits hold the milliseconds until the year 37,648. */
const TIME_CHARS = 10;
/** 80 bits: two ids of one millisecond are never equal. */
const RANDOM_CHARS = 16;

/** A new id such as `own_01jk2m…`, without colons. Ids sort by creation time. @param nowMs since 1970. */
export function newId(prefix: string, nowMs: number): string {
  const time = nowMs.toString(ALPHABET.length).padStart(TIME_CHARS, "0");
  // 256 is a multiple of 32, so all characters are equally likely.
  const random = [...randomBytes(RANDOM_CHARS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return `${prefix}_${time}${random}`;
}
