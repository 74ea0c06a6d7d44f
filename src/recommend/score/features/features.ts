import {
  type AppliedCard,
  choiceIn,
  circumstances,
  gradeAt,
  isListedIn,
  loadCatalogue,
  MOST_RANKED,
  placeIn,
  placeOfPurpose,
  purposeGradesOf,
  purposes as purposesOfCatalogue,
  servingIn,
} from "../../../catalogue/index.ts";
import type { Model } from "../../../inventory/index.ts";
import { type QualitySignals, qualityOf, type RankingSignals, type WishVerdict } from "../../candidate.ts";
import type { Profile } from "../../profile.ts";
import { affinityOf } from "../learned/affinity.ts";
import { measuredPercentile } from "../measured.ts";
import type { ModelFacts } from "../model-facts.ts";
import { fitSignal, type ModelQuality } from "../quality-signals.ts";
import type { Sizing } from "../sizing.ts";
import { neededRate } from "../wish-verdict.ts";
import { modelFeatureNames } from "./model-features.ts";
import { circumstancesOf, needFeatureNames, needFeaturesOf } from "./need-features.ts";
import { wishFeatureNames, writeWishFeatures } from "./wish-features.ts";

/** The features of what the catalogue says that a model is for, in the order of the ranking model. */
export const purposeFeatureNames = [
  "madeFor",
  "does",
  "partly",
  "trains",
  "implied",
  "topGrade",
  "secondGrade",
  "bestShare",
  "group",
  "besideBest",
  "topChoice",
  "choice",
  "smallPlace",
  "consumerPlace",
  "fastPlace",
  "bestPlace",
  "asked",
] as const;

/** A purpose of a need, with what is the same for all models. */
interface PreparedPurpose {
  /** Among all purposes. */
  place: number;
  confidence: number;
  group: string | undefined;
  /** The confidence as a share of the confidence in the first purpose. */
  share: number;
  /** The worth of the catalogue's best model for it. */
  best: number;
}

/** What the features of purposes are read from, of the last need: its candidates have the same. */
let last: { profile: Profile; prepared: readonly PreparedPurpose[]; asked: readonly number[] } | undefined;

function preparedPurposes(profile: Profile): NonNullable<typeof last> {
  if (last?.profile !== profile) {
    const { purposes } = profile;
    const catalogue = loadCatalogue();
    const groups = purposesOfCatalogue();
    const first = purposes[0]?.confidence ?? 1;
    const prepared = purposes.map(({ purpose, confidence }) => ({
      place: placeOfPurpose(purpose),
      confidence,
      group: groups.get(purpose)?.group,
      share: confidence / first,
      best: catalogue.bestFor(purpose) ?? 0,
    }));
    last = { profile, prepared, asked: circumstancesOf(profile).map((name) => circumstances.indexOf(name)) };
  }
  return last;
}

/** What the features of purposes are read from. */
type PurposeFacts = Pick<ModelFacts, "card" | "grades" | "mainGroup">;

/** A model of which the catalogue knows nothing. */
export const WITHOUT_CARD: PurposeFacts = { card: undefined, grades: purposeGradesOf(undefined), mainGroup: undefined };

/** How well the catalogue says that a model serves the wanted purposes; in the order of `purposeFeatureNames`. */
export function purposeFeaturesOf(facts: PurposeFacts, profile: Profile): number[] {
  const values = new Array<number>(purposeFeatureNames.length);
  writePurposeFeatures(values, 0, facts, profile);
  return values;
}

/** Writes these features from a place on. */
function writePurposeFeatures(
  features: Float32Array | number[],
  start: number,
  { card, grades, mainGroup }: PurposeFacts,
  profile: Profile,
): void {
  const standing = card?.standing ?? 0;
  let madeFor = 0;
  let does = 0;
  let partly = 0;
  let trains = 0;
  let implied = 0;
  let bestShare = 0;
  let group = 0;
  let besideBest = 0;
  let choice = 0;
  let topGrade = -1;
  let secondGrade = -1;
  let topChoice = -1;
  places.fill(0);
  const { prepared: purposes, asked } = preparedPurposes(profile);
  for (let i = 0; i < purposes.length; i++) {
    const { place, confidence, group: groupOfPurpose, share, best } = purposes[i] as PreparedPurpose;
    const found = gradeAt(grades, place);
    const grade = servingIn(found);
    const chosen = choiceIn(found);
    if (i === 0) {
      topGrade = grade;
      topChoice = chosen ?? -1;
    } else if (i === 1) {
      secondGrade = grade;
    }
    madeFor += grade === 3 ? confidence : 0;
    does += grade >= 2 ? confidence : 0;
    partly += grade === 1 || grade >= 2 ? confidence : 0;
    trains += grade > 0 && grade <= 0.5 ? confidence : 0;
    implied += isListedIn(found) ? 0 : grade * confidence;
    group += mainGroup !== undefined && groupOfPurpose === mainGroup ? confidence : 0;
    if (grade >= 2) {
      bestShare = Math.max(bestShare, share);
    }
    choice += confidence * (chosen ?? Math.min(1, grade));
    besideBest += confidence * ((grade > 0 ? grade + standing : 0) - best);
    for (let at = 0; at < places.length; at++) {
      const named = placeIn(found, at);
      places[at] = (places[at] as number) + (named === 0 ? 0 : share * (1 - (named - 1) / MOST_RANKED));
    }
  }
  features[start] = madeFor;
  features[start + 1] = does;
  features[start + 2] = partly;
  features[start + 3] = trains;
  features[start + 4] = implied;
  features[start + 5] = topGrade;
  features[start + 6] = secondGrade;
  features[start + 7] = bestShare;
  features[start + 8] = group;
  features[start + 9] = besideBest;
  features[start + 10] = topChoice;
  features[start + 11] = choice;
  for (let at = 0; at < places.length; at++) {
    features[start + 12 + at] = places[at] as number;
  }
  features[start + 12 + places.length] = askedPlace(asked);
}

/**
 * For each circumstance how far up its lists a model is, 1 for the first place: the sum over the purposes, each times its
 * share. Reused for each model.
 */
const places = new Float64Array(circumstances.length);

/** The mean of `places` of the present model for some circumstances; -1 for none. */
function askedPlace(asked: readonly number[]): number {
  if (asked.length === 0) {
    return -1;
  }
  let sum = 0;
  for (let i = 0; i < asked.length; i++) {
    sum += places[asked[i] as number] as number;
  }
  return sum / asked.length;
}

/** The features of how a model runs on the need's hardware, in the order of the ranking model. */
export const runFeatureNames = ["formatMatch", "bits", "fit", "memoryShare", "memory", "speed", "pace"] as const;

/** The features that compare a model with a need, in the order of the ranking model. */
export const matchFeatureNames = [
  ...purposeFeatureNames,
  "task",
  "taskShare",
  "meaning",
  "words",
  "text",
  "match",
  "named",
  ...wishFeatureNames,
  "likeNeeds",
  ...runFeatureNames,
  "measured",
  "affinity",
] as const;

/** The parts of a candidate that features are read from. */
export interface FeatureSource {
  signals: RankingSignals;
  /** The cosine of both texts. */
  meaning: number;
  /** The share of the need's words that are in the model's text. */
  lexicalShare: number;
  /** How well its labels serve the wanted task, without the task's weight. */
  serves: number;
  isNamed: boolean;
  verdicts: readonly WishVerdict[];
  /** How many wishes the known facts do not decide. */
  unknown: number;
  sizing?: Sizing;
}

/** Writes the features of a model and a need together from a place on, in the order of `matchFeatureNames`. */
export function writeMatchFeatures(
  features: Float32Array,
  start: number,
  model: Model,
  facts: ModelFacts,
  profile: Profile,
  source: FeatureSource,
): void {
  const { card } = facts;
  const { signals, verdicts } = source;
  writePurposeFeatures(features, start, facts, profile);
  let at = start + purposeFeatureNames.length;
  features[at++] = source.serves;
  features[at++] = signals.task;
  features[at++] = source.meaning;
  features[at++] = source.lexicalShare;
  features[at++] = signals.text;
  features[at++] = matchOf(signals, steadyQualityOf(facts.quality, signals), source.unknown);
  features[at++] = Number(source.isNamed);
  writeWishFeatures(features, at, model, facts, profile, verdicts);
  at += wishFeatureNames.length;
  features[at++] = likenessToNeeds(facts, profile);
  writeRunFeatures(features, at, model, card, profile, source.sizing);
  at += runFeatureNames.length;
  features[at++] = measuredPercentile(model, profile.boards) ?? -1;
  features[at] = affinityOf(facts, profile);
}

/**
 * How much a need is like one of the needs that the catalogue says a model answers best: the largest cosine; -1 without
 * such needs.
 */
export function likenessToNeeds({ needVectors }: ModelFacts, { plainVector }: Profile): number {
  return needVectors?.largestCosine(plainVector) ?? -1;
}

/** How the model runs on the need's hardware; in the order of `runFeatureNames`. */
export function runFeaturesOf(
  model: Model,
  card: AppliedCard | undefined,
  profile: Profile,
  sizing: Sizing | undefined,
): number[] {
  const values = new Array<number>(runFeatureNames.length);
  writeRunFeatures(values, 0, model, card, profile, sizing);
  return values;
}

/** Writes these features from a place on. */
function writeRunFeatures(
  features: Float32Array | number[],
  start: number,
  model: Model,
  card: AppliedCard | undefined,
  profile: Profile,
  sizing: Sizing | undefined,
): void {
  const memoryGb = sizing?.estimate.memoryGb;
  const budgetGb = profile.memoryGb ?? -1;
  const speed = sizing?.estimate.tokensPerSecond?.likely ?? 0;
  features[start] = formatMatchOf(profile.manner.formats, model, card);
  features[start + 1] = sizing === undefined ? -1 : Math.min(16, sizing.bits);
  features[start + 2] = fitSignal(sizing);
  features[start + 3] = memoryGb === undefined || budgetGb <= 0 ? -1 : Math.min(4, memoryGb / budgetGb);
  features[start + 4] = memoryGb === undefined ? -1 : Math.log10(Math.max(0.01, memoryGb)) + 2;
  features[start + 5] = speed === 0 ? 0 : Math.log10(1 + speed);
  features[start + 6] = paceOf(profile, sizing);
}

/** A pace that is not known, or that nothing is asked for. */
const NO_PACE = -9;

/** The decimal logarithm of the estimated items a second for each that the need asks for, -4 to 4. */
function paceOf({ wishes }: Profile, sizing: Sizing | undefined): number {
  const throughput = sizing?.estimate.throughput;
  const wish = throughput && wishes.find(({ kind }) => kind === "speed");
  const needed = throughput && wish?.kind === "speed" ? neededRate(wish, throughput) : undefined;
  return throughput === undefined || needed === undefined
    ? NO_PACE
    : Math.max(-4, Math.min(4, Math.log10(throughput.likely / needed)));
}

/**
 * The shares of task, text and quality signals in the match. The text has the most, because it distinguishes the models
 * for a task and can outweigh a misunderstood task. Chosen on eval/suite (docs/quality.md).
 */
const TASK_SHARE = 0.16;
const TEXT_SHARE = 0.68;
const QUALITY_SHARE = 0.16;
/** Factor of the match for each wish that the known facts do not decide. */
const PER_UNKNOWN_WISH = 0.84;

/** The quality of the signals, the same on every day. */
export function steadyQualityOf({ steadyFreshness }: ModelQuality, signals: QualitySignals): number {
  return qualityOf(signals, steadyFreshness);
}

/**
 * How well facts and text match the need, 0 to 1, without the catalogue.
 *
 * @param quality as `steadyQualityOf` gives it. @param unknown how many wishes the known facts do not decide.
 */
export function matchOf(
  { task, text }: Pick<RankingSignals, "task" | "text">,
  quality: number,
  unknown: number,
): number {
  return (TASK_SHARE * task + TEXT_SHARE * text + QUALITY_SHARE * quality) * PER_UNKNOWN_WISH ** unknown;
}

/** Formats that vLLM and similar engines serve. They also serve weights that name no format. */
const served: ReadonlySet<string> = new Set(["awq", "gptq", "fp8", "nvfp4", "int4", "int8", "bnb"]);

/** 1 where a named format or engine runs it, 0 where none does, -1 where none is named. */
function formatMatchOf(formats: readonly string[], model: Model, card: AppliedCard | undefined): number {
  if (formats.length === 0) {
    return -1;
  }
  return Number(offersAny(formats, model, card));
}

function offersAny(formats: readonly string[], model: Model, card: AppliedCard | undefined): boolean {
  const own = card?.format?.toLowerCase();
  const offers = (format: string) =>
    own === format || model.variants.some((variant) => variant.format?.toLowerCase() === format);
  return formats.some((format) => (format === "vllm" ? own === undefined || served.has(own) : offers(format)));
}

/** What the score of a model depends on, by name: the need, the need and the model, the model. Absent figures are -1. */
export const featureNames = [...needFeatureNames, ...matchFeatureNames, ...modelFeatureNames] as const;

/** V8 keeps an array of this size outside of its heap. One for each of four hundred candidates would cost too much. */
const features = new Float32Array(featureNames.length);

/** The need whose features the array has. */
let lastProfile: Profile | undefined;

/** The features of a model for a need, in the order of `featureNames`. The next call reuses the array. */
export function featuresOf(model: Model, facts: ModelFacts, profile: Profile, source: FeatureSource): Float32Array {
  if (lastProfile !== profile) {
    features.set(needFeaturesOf(profile));
    lastProfile = profile;
  }
  writeMatchFeatures(features, needFeatureNames.length, model, facts, profile, source);
  features.set(facts.features, needFeatureNames.length + matchFeatureNames.length);
  return features;
}
