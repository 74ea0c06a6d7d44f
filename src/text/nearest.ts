import { distance } from "fastest-levenshtein";

/** A name this many edits away for its length is no longer what somebody meant to write. */
const MAX_EDITS_SHARE = 0.6;

/**
 * The names most like a word, nearest first: by edit distance, names that contain the word counting as near.
 * Letter case is ignored. Empty when none is alike.
 */
export function nearestNames(word: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = word.toLowerCase().slice(0, 200);
  return [...new Set(names)]
    .map((name) => ({ name, edits: editsBetween(wanted, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= MAX_EDITS_SHARE * Math.max(wanted.length, name.length))
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function editsBetween(wanted: string, name: string): number {
  const edits = distance(wanted, name);
  return wanted.length > 2 && name.includes(wanted) ? Math.min(edits, 1 + (name.length - wanted.length) / 10) : edits;
}
