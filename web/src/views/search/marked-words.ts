/** A piece of a text; `index` is that of the phrase it is, if it is one. */
export interface Piece {
  readonly text: string;
  readonly index: number | undefined;
}

/**
 * Divides a text into its phrases and what is between them. Letter case is ignored; a phrase that is not there, or
 * overlaps one before it in the list, is left out.
 */
export function markedWords(text: string, phrases: readonly string[]): Piece[] {
  const lower = text.toLowerCase();
  const found: { start: number; end: number; index: number }[] = [];
  phrases.forEach((phrase, index) => {
    const words = phrase.trim().toLowerCase();
    // Letters that change their length with their case would shift all that follows.
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
