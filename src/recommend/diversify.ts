import type { Candidate } from "./candidate.ts";

/** Share of the places, and at least so many, that one family may take while others are nearly as good. */
const FAMILY_SHARE = 0.3;
const PER_FAMILY = 2;
/** A model of another family scores "nearly as well" from this share of the strength on. */
const NEARLY = 0.97;

/**
 * The results: the best candidates in order of score, equal scores by name, with one place for each base model and its
 * repackagings and fine-tunes, and families taking turns where that costs next to nothing. Where two things are needed,
 * each gets half of the places, as far as it has suitable models. A worse match never stands above a better one.
 */
export function diversify(candidates: readonly Candidate[], topK: number): Candidate[] {
  const ranked = oneForEachBase([...candidates].sort(byScore));
  const [first = [], second = []] = ([1, 2] as const)
    .map((part) => ranked.filter(({ suitable, task }) => suitable && task?.part === part))
    .sort(([a], [b]) => (a && b ? byScore(a, b) : 0));
  if (first.length === 0 || second.length === 0) {
    return spread(ranked, topK).sort(byScore);
  }
  const behind = spread(second, Math.floor(topK / 2));
  const both = [...spread(first, topK - behind.length), ...behind];
  const others = ranked.filter((candidate) => !both.includes(candidate));
  return [...both, ...spread(others, topK - both.length)].sort(byScore);
}

/** The best of a ranking, spread over families. */
function spread(ranked: readonly Candidate[], places: number): Candidate[] {
  const picked: Candidate[] = [];
  const passedOver: Candidate[] = [];
  const taken = new Map<string, number>();
  const perFamily = Math.max(PER_FAMILY, Math.round(FAMILY_SHARE * places));
  for (const [i, candidate] of ranked.entries()) {
    if (picked.length === places) {
      break;
    }
    const { family } = candidate.model;
    const ofFamily = taken.get(family) ?? 0;
    if (ofFamily >= perFamily && othersNearlyAsGood(ranked.slice(i + 1), candidate, places - picked.length)) {
      passedOver.push(candidate);
      continue;
    }
    picked.push(candidate);
    taken.set(family, ofFamily + 1);
  }
  return [...picked, ...passedOver.slice(0, places - picked.length)];
}

/** Best score first, equal scores by name. */
export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.model.key < b.model.key ? -1 : a.model.key > b.model.key ? 1 : 0);
}

function othersNearlyAsGood(rest: readonly Candidate[], candidate: Candidate, needed: number): boolean {
  const others = rest.filter(
    (c) =>
      c.model.family !== candidate.model.family &&
      c.strength >= NEARLY * candidate.strength &&
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
    if (groups.has(group)) {
      return false;
    }
    groups.add(group);
    return true;
  });
}
