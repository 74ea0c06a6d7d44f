import type { Fit } from "../hardware/index.ts";
import type { Model } from "../inventory/model.ts";
import { smallestSizeGb } from "../inventory/filter.ts";
import type { Sizing } from "./sizing.ts";

/** Downloads at which a model counts as used by everybody. */
const DOWNLOADS_FULL = 1e7;
/** Likes at which a model counts as liked by everybody. */
const LIKES_FULL = 5e3;
/** Years after which a model's freshness has halved. */
const FRESHNESS_HALF_LIFE_YEARS = 2;
const YEAR_MS = 365.25 * 24 * 3600 * 1000;

/** Downloads and likes on a logarithmic scale, 0 to 1; 0 when neither is known. */
export function adoptionOf(model: Model): number {
  const downloads = Math.log1p(model.downloads ?? 0) / Math.log1p(DOWNLOADS_FULL);
  const likes = Math.log1p(model.likes ?? 0) / Math.log1p(LIKES_FULL);
  return Math.min(1, 0.65 * Math.min(1, downloads) + 0.35 * Math.min(1, likes));
}

/** Halves every two years since the last change; one half when that is unknown. `now` in milliseconds since 1970. */
export function freshnessOf(model: Model, now: number): number {
  if (model.updatedAt === undefined) return 0.5;
  const years = Math.max(0, (now - model.updatedAt) / YEAR_MS);
  return 0.5 ** (years / FRESHNESS_HALF_LIFE_YEARS);
}

/** Share of the facts that somebody choosing a model looks for which are known. */
export function completenessOf(model: Model): number {
  const known = [
    model.description,
    model.license,
    model.parameters,
    smallestSizeGb(model),
    model.labels[0],
    model.updatedAt,
    model.library,
    model.languages[0] ?? (model.types.some((type) => type === "vision" || type === "image-gen") || undefined),
  ];
  return known.filter((fact) => fact !== undefined).length / known.length;
}

/** 1 for a variant that fits, less for a tight one, little for one that spills over; one half when unknown. */
export function fitMerit(sizing: Sizing | undefined): number {
  if (sizing === undefined) return 0.5;
  return fitMerits[sizing.estimate.fit];
}

/** 1 at 0.1 GB of memory and less, 0 at 100 GB and more, by the logarithm between; one half when unknown. */
export function economyOf(sizing: Sizing | undefined): number {
  if (sizing === undefined) return 0.5;
  const decades = Math.log10(Math.max(0.1, sizing.estimate.memoryGb) / 0.1);
  return Math.max(0, 1 - decades / 3);
}

const fitMerits: Readonly<Record<Fit, number>> = { fits: 1, tight: 0.8, offload: 0.25, "too-large": 0 };
