import { Mismatch } from "./mismatch.ts";

const MISMATCH = new Mismatch("base64");

/** Checks base64 in either alphabet, with or without padding, and returns it in the standard form. */
export function base64Value(text: string): string | Mismatch {
  const match = /^([A-Za-z0-9+/_-]*)(={0,2})$/.exec(text);
  if (match === null) {
    return MISMATCH;
  }
  const digits = match[1]!.length;
  const padded = match[2] !== "";
  if (digits % 4 === 1 || (padded && text.length % 4 !== 0)) {
    return MISMATCH;
  }
  // Rewritten only where it must be, because bodies may carry megabytes of it.
  const standard = /[-_]/.test(text) ? text.replaceAll("-", "+").replaceAll("_", "/") : text;
  return padded ? standard : standard + "=".repeat((4 - (digits % 4)) % 4);
}
