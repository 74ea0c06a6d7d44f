// Controls, and the marks that turn the direction of writing: what comes from a source or a file could otherwise move
// the cursor, colour the screen or make one name look like another.
const unsafe = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Foreign text for a terminal: without control characters, on one line. No-break spaces stay. */
export function cleanText(text: string): string {
  return text
    .replace(/[^\S\u00a0]+/gu, " ")
    .replace(unsafe, "")
    .trim();
}
