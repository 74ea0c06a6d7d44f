import { hashOf } from "../../embedding/static-tokens.ts";

const WORD = 0;
const PAIR = 0x5bd1e995;
const GROUP = 0x27d4eb2f;

/** The sparse features of some words as hashes, each once: words, pairs of neighbours, letter groups. */
export function featuresOf(words: readonly string[]): number[] {
  const found = new Set<number>();
  let before = 0x9e3779b9;
  for (const word of words) {
    const own = hashOf(word, WORD);
    found.add(own);
    found.add((Math.imul(before, 31) ^ own ^ PAIR) >>> 0);
    before = own;
    if (word.length < 4) continue;
    const marked = `<${word}>`;
    for (let at = 0; at + 4 <= marked.length; at++) {
      found.add(hashOf(marked.slice(at, at + 4), GROUP));
      if (at + 5 <= marked.length) found.add(hashOf(marked.slice(at, at + 5), GROUP));
    }
  }
  return [...found];
}
