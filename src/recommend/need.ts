import type { ModelFilter } from "../inventory/index.ts";
import type { Candidate } from "./candidate.ts";

/** What a caller asks for, checked. */
export interface Need {
  /** 1 to 2,000 characters, trimmed. */
  description: string;
  /** The explicit fields: they hold without exception. */
  filter: ModelFilter;
  /** Number of results, 1 to 50. */
  topK: number;
  /** Wishes of the description to disregard: a kind, or kind:value. */
  ignore: readonly string[];
}

/** The filter holds for models; that one of their variants keeps all limits together is known after sizing. */
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
