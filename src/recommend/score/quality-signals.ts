import type { Board } from "../../evaluations/index.ts";
import type { Fit } from "../../hardware/index.ts";
import { type Model, releasedAt, smallestSizeGb, type TaskType } from "../../inventory/index.ts";
import { cardOf } from "./card-of.ts";
import { isCoarse, type Sizing } from "./sizing.ts";

/** The number of downloads that counts as full adoption. */
const DOWNLOADS_FULL = 1e7;
/** The number of likes that counts as full adoption. */
const LIKES_FULL = 5e3;
/** Years in which freshness halves. */
const FRESHNESS_HALF_LIFE_YEARS = 2;
const YEAR_MS = 365.25 * 24 * 3600 * 1000;

/** Facts about the quality of a model that do not depend on the need. */
export interface ModelQuality {
  adoption: number;
  completeness: number;
  /** Freshness on the day of the catalogue's judgement. */
  steadyFreshness: number;
  /** When its series was released, or else its last change, in milliseconds since 1970; undefined when unknown. */
  since: number | undefined;
  /** Whether larger models of its kind give noticeably better results. */
  gainsBySize: boolean;
  /** How well its size suits a task for which large is better, 0 to 1. */
  largeness: number;
}

/** The inventory caches model objects, so the quality of each is computed once. */
const qualities = new WeakMap<Model, ModelQuality>();

/** Freshness is counted from the day of the catalogue's judgement, so that a score does not depend on the day. */
const CATALOGUE_DAY = Date.UTC(2026, 5, 20);

export function modelQualityOf(model: Model): ModelQuality {
  let found = qualities.get(model);
  if (found === undefined) {
    found = {
      adoption: adoptionOf(model),
      completeness: completenessOf(model),
      steadyFreshness: freshnessOf(model, CATALOGUE_DAY),
      since: releasedAt(model) ?? model.updatedAt,
      gainsBySize: gainsBySize(model),
      largeness: model.parameters === undefined ? 0.5 : decadesAbove(model.parameters, 1e8) / 3,
    };
    qualities.set(model, found);
  }
  return found;
}

/** Adoption from downloads and likes, on a logarithmic scale, 0 to 1; 0 when neither is known. */
export function adoptionOf(model: Model): number {
  const downloads = Math.log1p(model.downloads ?? 0) / Math.log1p(DOWNLOADS_FULL);
  const likes = Math.log1p(model.likes ?? 0) / Math.log1p(LIKES_FULL);
  return Math.min(1, 0.65 * Math.min(1, downloads) + 0.35 * Math.min(1, likes));
}

/**
 * Freshness, 0 to 1: it halves every two years after the release of the model's series, or after its last change if the
 * release is unknown; 0.5 when neither is known. The last change alone would make an old model with a new licence file
 * look new. `now` in milliseconds since 1970.
 */
export function freshnessOf(model: Model, now: number): number {
  return freshnessSince(releasedAt(model) ?? model.updatedAt, now);
}

/** The same by the time that freshness counts from. */
export function freshnessSince(since: number | undefined, now: number): number {
  if (since === undefined) {
    return 0.5;
  }
  const years = Math.max(0, (now - since) / YEAR_MS);
  return 0.5 ** (years / FRESHNESS_HALF_LIFE_YEARS);
}

/** The known share of the facts that people need to choose a model, 0 to 1. */
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

/**
 * 1 for a variant that fits, less for a tight fit or one with few bits a weight, little with offloading, 0 if too large;
 * 0.5 when unknown.
 */
export function fitSignal(sizing: Sizing | undefined): number {
  if (sizing === undefined) {
    return 0.5;
  }
  const { fit } = sizing.estimate;
  return fitSignals[fit === "fits" && isCoarse(sizing) ? "tight" : fit];
}

/** Types whose larger models give noticeably better results. */
const generative: ReadonlySet<TaskType> = new Set<TaskType>(["text-gen", "code", "multimodal", "image-gen"]);

/** Whether larger models of this kind give noticeably better results. */
export function gainsBySize({ types }: Model): boolean {
  return types.some((type) => generative.has(type));
}

/**
 * How well the model's size suits its task, 0 to 1, on a logarithmic scale; 0.5 when unknown. If large is better, 0 is
 * at 0.1 billion parameters and 1 at 100 billion. If small is better, 1 is at 1 GB of memory and below, and 0 at 100
 * GB. Without a preference, large is better for models that generate.
 */
export function sizeSignal(
  { gainsBySize: gains, largeness }: ModelQuality,
  sizing: Sizing | undefined,
  preference: "small" | "large" | undefined,
): number {
  const isLargeBetter = preference === undefined ? gains : preference === "large";
  if (isLargeBetter) {
    return largeness;
  }
  return sizing === undefined ? 0.5 : 1 - Math.min(2, decadesAbove(sizing.estimate.memoryGb, 1)) / 2;
}

function decadesAbove(value: number, least: number): number {
  return Math.min(3, Math.max(0, Math.log10(value / least)));
}

/** A model with at least this many languages counts as multilingual. */
const MANY_LANGUAGES = 12;

/**
 * The signal of its languages for a need that names none: 0 if the model is made for a few languages without English,
 * else 1. People who write in English and name no language want English.
 */
export function unaskedLanguageOf({ languages }: Model): number {
  const suits = languages.length === 0 || languages.length >= MANY_LANGUAGES || languages.includes("en");
  return suits ? 1 : 0;
}

const fitSignals: Readonly<Record<Fit, number>> = { fits: 1, tight: 0.8, offload: 0.25, "too-large": 0 };

/**
 * Parameters in the middle of a leaderboard, by its first task: the median of the models of the starter catalogue that it
 * measured. Leaderboards that are only read live count as the others of their task.
 */
const middleParameters: ReadonlyMap<string, number> = new Map([
  ["text-generation", 8e9],
  ["fill-mask", 8e9],
  ["image-text-to-text", 8e9],
  ["sentence-similarity", 0.3e9],
  ["visual-document-retrieval", 0.9e9],
  ["automatic-speech-recognition", 1e9],
  ["image-classification", 0.02e9],
  ["zero-shot-image-classification", 0.35e9],
]);
/** On this board, the places do not depend on the size. */
const indifferentToSize: ReadonlySet<string> = new Set(["vectara-hhem"]);
/** What ten times the parameters add to the percentile, by regression over the other boards (docs/quality.md). */
const PERCENTILE_PER_TENFOLD = 0.25;
/** An estimate can move the percentile at most half as far from the middle as the first or the last place does. */
const MOST_BY_SIZE = 0.25;

/**
 * The percentile, 0.25 to 0.75, that a model's size lets expect on a board that has not measured it. undefined if the size
 * is unknown, the board compares other kinds of models, or its places say nothing of the size.
 */
export function percentileBySize(model: Model, board: Board): number | undefined {
  const middle = indifferentToSize.has(board.id) ? undefined : middleParameters.get(board.tasks[0] ?? "");
  if (middle === undefined || !model.labels.some((label) => board.tasks.includes(label))) {
    return undefined;
  }
  const parameters = cardOf(model)?.parameters ?? model.parameters;
  if (parameters === undefined) {
    return undefined;
  }
  const above = PERCENTILE_PER_TENFOLD * Math.log10(parameters / middle);
  return 0.5 + Math.min(MOST_BY_SIZE, Math.max(-MOST_BY_SIZE, above));
}
