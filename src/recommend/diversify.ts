import type { Candidate } from "./candidate.ts";
import { factsOf } from "./score/model-facts.ts";

/** The most places of one family, while other families are nearly as good: this share, and at least this many. */
const FAMILY_SHARE = 0.3;
const PER_FAMILY = 2;
/** The least score of a "nearly as good" model, as a share of the other's. */
const NEARLY = 0.9;

/**
 * Picks the results: the best candidates in order of score, equal scores by name. A model and its copies in other
 * formats share one place. A family gets more than its share only if other families are clearly worse. If the need has
 * two parts, each part gets half of the places, as far as it has suitable models.
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

/** Picks the best of a ranking, spread over families. */
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

/** Orders by descending score, then by name. */
export function byScore(a: Candidate, b: Candidate): number {
  if (a.score !== b.score) {
    return a.score < b.score ? 1 : -1;
  }
  return a.model.key < b.model.key ? -1 : a.model.key > b.model.key ? 1 : 0;
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

/** Keeps the best of each model and its copies. */
function oneForEachBase(ranked: readonly Candidate[]): Candidate[] {
  const baseOf = new Map<string, string>();
  for (const { model } of ranked) {
    const { copyOf } = factsOf(model);
    if (copyOf !== undefined) {
      baseOf.set(model.key, copyOf);
    }
  }
  const root = (key: string): string => {
    if (baseOf.get(key) === undefined) {
      return key;
    }
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
