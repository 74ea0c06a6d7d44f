import { distance } from "fastest-levenshtein";

/** The largest share of different letters: beyond it, a name is hardly the one that was meant. */
const MAX_EDITS_SHARE = 0.6;
/** Longer words are compared by their first letters only, since the cost grows with the length. */
const MAX_COMPARED = 200;

/**
 * The names most similar to a word, nearest first, by edit distance; a name that contains the word counts as near.
 * Letter case is ignored. Empty when no name is similar.
 */
export function nearestNames(word: string, names: Iterable<string>, limit = 3): string[] {
  const wanted = word.toLowerCase().slice(0, MAX_COMPARED);
  return [...new Set(names)]
    .map((name) => ({ name, edits: editsBetween(wanted, name.toLowerCase()) }))
    .filter(({ name, edits }) => edits <= MAX_EDITS_SHARE * Math.max(wanted.length, name.length))
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}

function editsBetween(wanted: string, name: string): number {
  const edits = distance(wanted, name);
  if (wanted.length <= 2 || !name.includes(wanted)) {
    return edits;
  }
  // The beginning of a name is nearer than a name with another letter: gpu means gpu-8gb, not cpu.
  const least = name.startsWith(wanted) ? 0.5 : 1;
  return Math.min(edits, least + (name.length - wanted.length) / 10);
}

/** How a message suggests another name. */
interface HintOptions {
  /** How to write the name. Default: as it is. */
  show?: (name: string) => string;
  /** Whether the word is in a list: the question then goes into brackets. Default: no. */
  isListed?: boolean;
}

/** The end of a message about an unknown word: `; did you mean NAME?`, or empty if no name is similar. */
export function didYouMean(
  word: string,
  names: Iterable<string>,
  { show = (name) => name, isListed = false }: HintOptions = {},
): string {
  const [nearest] = nearestNames(word, names, 1);
  if (nearest === undefined) {
    return "";
  }
  const question = `did you mean ${show(nearest)}?`;
  return isListed ? ` (${question})` : `; ${question}`;
}
