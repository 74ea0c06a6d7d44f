import type { Inventory, ModelFilter } from "../inventory/index.ts";
import { createYieldToEventLoop } from "../pace/index.ts";
import type { Candidate } from "./candidate.ts";
import { hasVariant, type SizingLimits } from "./score/sizing.ts";
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
  /** What matters most among suitable models. It overrides the description. If it is absent, the description decides. */
  priority?: Priority;
}

/**
 * Whether the chosen variant meets the limits on size, hardware and speed together. The filter has checked each limit for the
 * model, perhaps with different variants.
 */
export function meetsHardLimits(
  { sizing }: Candidate,
  { filter: { maxSizeGb, hardware, device, minTokensPerSecond } }: Pick<Need, "filter">,
): boolean {
  const isOnDevice = hardware !== undefined || device !== undefined;
  if (maxSizeGb === undefined && !isOnDevice && minTokensPerSecond === undefined) {
    return true;
  }
  if (sizing === undefined) {
    return false;
  }
  const fits = sizing.estimate.fit === "fits" || sizing.estimate.fit === "tight";
  return (
    (fits || !isOnDevice) &&
    (maxSizeGb === undefined || (sizing.variant.sizeGb ?? Infinity) <= maxSizeGb) &&
    (sizing.estimate.tokensPerSecond?.likely ?? 0) >= (minTokensPerSecond ?? 0)
  );
}

/** The most models whose variants are judged one by one for a count; the inventory keeps as many in memory. */
const MOST_JUDGED = 20_000;

/**
 * How many models of the inventory pass a filter. The table's columns decide all but speed, and memory and size
 * together; these are judged model by model, if no more than 20,000 pass the rest.
 *
 * @param must the limits of the filter, with the device that they are for.
 * @param passing how many pass by the columns.
 */
export async function countPassing(
  inventory: Inventory,
  filter: ModelFilter,
  must: SizingLimits,
  passing: number,
  signal?: AbortSignal,
): Promise<number> {
  const { device } = must;
  const isDecided =
    filter.minTokensPerSecond === undefined &&
    (filter.device === undefined || (filter.maxSizeGb === undefined && device?.count === 1));
  if (device === undefined || isDecided || passing > MOST_JUDGED) {
    return passing;
  }
  const yieldToEventLoop = createYieldToEventLoop();
  const mustFit = filter.device !== undefined || filter.hardware !== undefined;
  let count = 0;
  for (const model of await inventory.passing(filter, MOST_JUDGED)) {
    count += Number(hasVariant(model, { ...must, device }, mustFit));
    await yieldToEventLoop();
    signal?.throwIfAborted();
  }
  return count;
}
