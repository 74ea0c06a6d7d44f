import type { Candidate } from "./candidate.ts";

/** Places one family may take among the first results while others score nearly as well. */
const PER_FAMILY = 2;
/** A model of another family scores "nearly as well" from this share of the score on. */
const NEARLY = 0.92;

/**
 * The results: the best candidates in order of score, equal scores by name, with one place for each base model and its
 * repackagings and fine-tunes, and families taking turns where that costs next to nothing. A worse match never stands
 * above a better one.
 */
export function diversify(candidates: readonly Candidate[], topK: number): Candidate[] {
  const ranked = oneForEachBase([...candidates].sort(byScore));
  const picked: Candidate[] = [];
  const passedOver: Candidate[] = [];
  const taken = new Map<string, number>();
  for (const [i, candidate] of ranked.entries()) {
    if (picked.length === topK) break;
    const { family } = candidate.model;
    const places = taken.get(family) ?? 0;
    if (places >= PER_FAMILY && othersNearlyAsGood(ranked.slice(i + 1), candidate, topK - picked.length)) {
      passedOver.push(candidate);
      continue;
    }
    picked.push(candidate);
    taken.set(family, places + 1);
  }
  const filled = [...picked, ...passedOver.slice(0, topK - picked.length)];
  return filled.sort(byScore);
}

/** Best score first, equal scores by name. */
export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.model.key < b.model.key ? -1 : a.model.key > b.model.key ? 1 : 0);
}

function othersNearlyAsGood(rest: readonly Candidate[], candidate: Candidate, needed: number): boolean {
  const others = rest.filter(
    (c) =>
      c.model.family !== candidate.model.family &&
      c.score >= NEARLY * candidate.score &&
      c.broken <= candidate.broken &&
      (c.suitable || !candidate.suitable),
  );
  return others.length >= needed;
}

/** Leaves the best of every group of models that are forms of one another. */
function oneForEachBase(ranked: readonly Candidate[]): Candidate[] {
  const baseOf = new Map(ranked.map(({ model }) => [model.key, model.baseModel?.toLowerCase()]));
  const root = (key: string): string => {
    const seen = new Set<string>();
    for (let base = baseOf.get(key); base !== undefined && !seen.has(base); base = baseOf.get(key)) {
      seen.add(key);
      key = base;
    }
    return key;
  };
  const groups = new Set<string>();
  return ranked.filter(({ model }) => {
    const group = root(model.key);
    if (groups.has(group)) return false;
    groups.add(group);
    return true;
  });
}
