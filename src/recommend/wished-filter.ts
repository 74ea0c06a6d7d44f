import type { ModelFilter } from "../inventory/table/filter.ts";
import type { Wish } from "./understand/wishes/wish.ts";

/** Wishes as a filter, as far as one can say them; empty when none can. Of two wishes for one thing the first counts. */
export function wishedFilter(wishes: readonly Wish[]): ModelFilter {
  const filter: ModelFilter = {};
  const languages = new Set<string>();
  for (const wish of wishes) {
    if (wish.kind === "size") filter.maxSizeGb ??= wish.maxSizeGb;
    else if (wish.kind === "hardware") filter.hardware ??= wish.hardwareClass;
    else if (wish.kind === "license") filter.license ??= wish.license;
    else if (wish.kind === "context") filter.minContextLength ??= wish.minTokens;
    else if (wish.kind === "language" && wish.code !== "mul") languages.add(wish.code);
  }
  if (languages.size > 0) filter.languages = [...languages];
  return filter;
}
