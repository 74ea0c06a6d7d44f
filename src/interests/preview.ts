import type { Inventory } from "../inventory/index.ts";
import {
  alternativesAmong,
  byScore,
  explained,
  type Recommendation,
  scoreCandidates,
  type Understanding,
} from "../recommend/index.ts";
import type { Interest } from "./interest.ts";

/** Limits of a preview. */
export interface PreviewOptions {
  /** The most models listed. */
  topK: number;
  /** Cancels the work. */
  signal?: AbortSignal;
}

/** The models that satisfy an interest now, best first. Unlike a recommendation, it leaves out no similar models. */
export async function preview(
  inventory: Inventory,
  { need, minScore }: Pick<Interest, "need" | "minScore">,
  { topK, signal }: PreviewOptions,
): Promise<{ results: Recommendation[]; understood: Understanding }> {
  const { understood, profile, candidates } = await scoreCandidates(inventory, { ...need, topK }, { signal });
  const alternativesTo = alternativesAmong(candidates, profile.boards);
  const results = candidates
    .filter(({ score }) => score >= minScore)
    .sort(byScore)
    .slice(0, topK)
    .map((candidate) => explained(candidate, alternativesTo, profile));
  return { results, understood };
}
