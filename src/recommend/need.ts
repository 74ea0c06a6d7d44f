import type { ModelFilter } from "../inventory/index.ts";
import type { Candidate } from "./candidate.ts";
import type { Priority } from "./understand/wishes/wish.ts";

/** A checked request for recommendations. */
export interface Need {
  /** 1 to 2,000 characters, trimmed. */
  description: string;
  /** The hard limits, from the explicit fields. */
  filter: ModelFilter;
  /** Number of results, 1 to 50. */
  topK: number;
  /** Wishes of the description to ignore: a kind, or kind:value. */
  ignore: readonly string[];
  /** What decides among models that suit. It wins over the words of the description; absent, they set it. */
  priority?: Priority;
}

/**
 * Whether the chosen variant meets the limits on size and hardware together. The filter has checked each limit for the
 * model, perhaps with different variants.
 */
export function meetsHardLimits(
  { sizing }: Candidate,
  { filter: { maxSizeGb, hardware } }: Pick<Need, "filter">,
): boolean {
  if (maxSizeGb === undefined && hardware === undefined) {
    return true;
  }
  if (sizing === undefined) {
    return false;
  }
  const fits = sizing.estimate.fit === "fits" || sizing.estimate.fit === "tight";
  return (
    (hardware === undefined || fits) && (maxSizeGb === undefined || (sizing.variant.sizeGb ?? Infinity) <= maxSizeGb)
  );
}
