import type { Inventory } from "../inventory/index.ts";
import {
  alternativesTo,
  byScore,
  explain,
  type Recommendation,
  scoreCandidates,
  type Understanding,
} from "../recommend/index.ts";
import type { Interest } from "./interest.ts";

/** How an interest is previewed. */
export interface PreviewOptions {
  /** Models at most. */
  topK: number;
  /** Ends the work. */
  signal?: AbortSignal;
}

/** The models of the inventory that satisfy an interest now, best first. Those that are alike are all listed. */
export async function preview(
  inventory: Inventory,
  { need, minScore }: Pick<Interest, "need" | "minScore">,
  { topK, signal }: PreviewOptions,
): Promise<{ results: Recommendation[]; understood: Understanding }> {
  const { understood, profile, candidates } = await scoreCandidates(inventory, { ...need, topK }, { signal });
  const results = candidates
    .filter(({ score }) => score >= minScore)
    .sort(byScore)
    .slice(0, topK)
    .map((candidate) => ({
      model: candidate.model,
      score: candidate.score,
      ...explain(candidate, profile),
      alternatives: alternativesTo(candidate, candidates),
      sizing: candidate.sizing,
    }));
  return { results, understood };
}
