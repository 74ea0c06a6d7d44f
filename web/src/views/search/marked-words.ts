/** A piece of a text. If it is a phrase, `index` is the position of the phrase in the list. */
export interface Piece {
  readonly text: string;
  readonly index: number | undefined;
}

/**
 * Divides a text into phrases and the text between them. Letter case is ignored. A phrase that the text lacks, or that
 * overlaps one earlier in the list, is left out.
 */
export function markedWords(text: string, phrases: readonly string[]): Piece[] {
  const lower = text.toLowerCase();
  const found: { start: number; end: number; index: number }[] = [];
  phrases.forEach((phrase, index) => {
    const words = phrase.trim().toLowerCase();
    // Letters whose length changes with their case would shift the positions after them.
    if (words === "" || lower.length !== text.length) {
      return;
    }
    const start = lower.indexOf(words);
    const end = start + words.length;
    if (start >= 0 && found.every((other) => end <= other.start || start >= other.end)) {
      found.push({ start, end, index });
    }
  });
  found.sort((a, b) => a.start - b.start);
  const pieces: Piece[] = [];
  let at = 0;
  for (const { start, end, index } of found) {
    if (start > at) {
      pieces.push({ text: text.slice(at, start), index: undefined });
    }
    pieces.push({ text: text.slice(start, end), index });
    at = end;
  }
  if (at < text.length) {
    pieces.push({ text: text.slice(at), index: undefined });
  }
  return pieces;
}
