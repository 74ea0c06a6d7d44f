import { Mismatch } from "./mismatch.ts";

const MAX_SECONDS = 315_576_000_000;
const MISMATCH = new Mismatch('a duration in seconds, such as "1.5s"');

/** Checks the text of a google.protobuf.Duration (about 10,000 years either way) and returns it unchanged. */
export function durationValue(text: string): string | Mismatch {
  const match = /^-?(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text);
  if (match === null) {
    return MISMATCH;
  }
  const seconds = Number(match[1]);
  const beyond = seconds > MAX_SECONDS || (seconds === MAX_SECONDS && Number(match[2] ?? 0) > 0);
  return beyond ? MISMATCH : text;
}
