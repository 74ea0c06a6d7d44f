import type { Fit } from "../../hardware/index.ts";
import { type Model, releasedAt, smallestSizeGb, type TaskType } from "../../inventory/index.ts";
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

/**
 * Halves every two years since the model's line came out, or, where that is not known, since its last change; one half
 * when neither is known. A repository's last change alone would make an old model with a new licence file look new.
 * `now` in milliseconds since 1970.
 */
export function freshnessOf(model: Model, now: number): number {
  const since = releasedAt(model) ?? model.updatedAt;
  if (since === undefined) {
    return 0.5;
  }
  const years = Math.max(0, (now - since) / YEAR_MS);
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
export function fitSignal(sizing: Sizing | undefined): number {
  if (sizing === undefined) {
    return 0.5;
  }
  return fitSignals[sizing.estimate.fit];
}

/** Models of these types get better with size in a way that people notice. */
const generative: ReadonlySet<TaskType> = new Set<TaskType>(["text-gen", "code", "multimodal", "image-gen"]);

/** Whether the model is of a kind that gets better with size in a way that people notice. */
export function gainsBySize({ types }: Model): boolean {
  return types.some((type) => generative.has(type));
}

/**
 * How well the model's size suits what it is for. What generates gains by size: 0 at 0.1 billion parameters, 1 at 100
 * billion, by the logarithm. Everything else is worth its memory up to 1 GB: 1 there and below, 0 at 100 GB, by the
 * logarithm; smaller still is no merit. One half when unknown.
 */
export function sizeSignal(
  model: Model,
  sizing: Sizing | undefined,
  preference: "small" | "large" | undefined,
): number {
  const isLargeBetter = preference === undefined ? gainsBySize(model) : preference === "large";
  if (isLargeBetter) {
    return model.parameters === undefined ? 0.5 : decadesAbove(model.parameters, 1e8) / 3;
  }
  return sizing === undefined ? 0.5 : 1 - Math.min(2, decadesAbove(sizing.estimate.memoryGb, 1)) / 2;
}

function decadesAbove(value: number, least: number): number {
  return Math.min(3, Math.max(0, Math.log10(value / least)));
}

/** Models of so many languages are made for everybody. */
const MANY_LANGUAGES = 12;

/**
 * 1 unless the model is made for languages that the need does not ask for: people who write in English and name no
 * language mean English.
 */
export function languageSignal(model: Model, namesLanguage: boolean): number {
  const { languages } = model;
  const suits =
    namesLanguage || languages.length === 0 || languages.length >= MANY_LANGUAGES || languages.includes("en");
  return suits ? 1 : 0;
}

const fitSignals: Readonly<Record<Fit, number>> = { fits: 1, tight: 0.8, offload: 0.25, "too-large": 0 };
