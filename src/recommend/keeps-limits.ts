import type { Candidate } from "./candidate.ts";
import type { Need } from "./need.ts";

/** The filter holds for models; that one of their variants keeps all limits together is known after sizing. */
export function keepsLimits({ sizing }: Candidate, { filter: { maxSizeGb, hardware } }: Pick<Need, "filter">): boolean {
  if (maxSizeGb === undefined && hardware === undefined) return true;
  if (sizing === undefined) return false;
  const fits = sizing.estimate.fit === "fits" || sizing.estimate.fit === "tight";
  return (
    (hardware === undefined || fits) && (maxSizeGb === undefined || (sizing.variant.sizeGb ?? Infinity) <= maxSizeGb)
  );
}
