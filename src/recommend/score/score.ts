import { impliedBy, SERVES, servingOf } from "../../catalogue/index.ts";
import { type IndexedModel, searchableText } from "../../inventory/index.ts";
import type { Candidate, RankingSignals } from "../candidate.ts";
import type { Profile } from "../profile.ts";
import { SUITABLE_TASK, taskMatch } from "../tasks.ts";
import type { WishKind } from "../understand/wishes/wish.ts";
import { cardOf } from "./card-of.ts";
import { featuresOf } from "./features/features.ts";
import { lexicalMatch, type TextWords, textWords } from "./lexical-match.ts";
import { withMeasured } from "./measured.ts";
import { beginsWithModel, namesModel, paddedWords } from "./names-model.ts";
import { adoptionOf, completenessOf, fitSignal, freshnessOf, languageSignal, sizeSignal } from "./quality-signals.ts";
import { loadRankingModel } from "./ranking-model.ts";
import { sizeModel } from "./sizing.ts";
import { judgeWish, type WishVerdict } from "./wish-verdict.ts";

/** Factor of the score for each broken wish after the first. */
const PER_BROKEN_WISH = 0.6;
/** The least chance of a suitable model: below it the answer says that the model may not do what is described. */
const SUITABLE_CHANCE = 0.3;
/** The least weight of a task that a model may serve by its label: a twentieth of the confidence in the first task. */
const MEANT_WEIGHT = 0.47;
/**
 * The most score of a model that serves neither a wanted task nor a wanted purpose, that breaks a wish of degrees, or
 * whose licence is unknown where one is asked for. Below it the chance stays as it is: of the graded models with such a
 * fault and a chance of 0.3 to 0.5, half are good choices; of the 69 without the licence, three.
 */
const DOUBTED_MOST = 0.45;
/**
 * The most score of a model that breaks another wish. Of the graded models that break the licence, or that translate in
 * other directions, none with a higher chance is good.
 */
const BREAKING_MOST = 0.299;
/** Wishes that a model may miss by a little, or by facts that are not quite known. */
const inDegrees: ReadonlySet<WishKind> = new Set<WishKind>(["size", "hardware", "language"]);
/** The least chance of a model that the need names. */
const NAMED_CHANCE = 0.95;
/** The most chance of a model that the need names only for comparison: "like X but smaller". */
const REFERENCE_CHANCE = 0.05;
/** Decimals of a score. */
const SCORE_DIGITS = 4;
/** No chance is known to be 0. */
const LEAST_SCORE = 1e-4;

/** Everything about a model and a need that the score and its explanation are read from. */
export interface Match extends Omit<Candidate, "score" | "suitable"> {
  /** Whether its labels or its card say that it serves the need, whatever its quality. */
  servesNeed: boolean;
  /** The next comparison reuses the array. */
  features: Float32Array;
}

/**
 * Scores a model for a need.
 *
 * The score is the chance that the model is a good choice, learned from graded needs (ranking-model.ts), with bounds:
 * a model that is known to break a wish, or that serves nothing that the need asks for, scores less than 0.5.
 *
 * @param now milliseconds since 1970, for its freshness. Default: that of the profile.
 */
export function scoreModel(indexed: IndexedModel, profile: Profile, now = profile.now): Candidate {
  const { servesNeed, features, ...match } = matchModel(indexed, profile, now);
  const { model } = indexed;
  let chance = loadRankingModel().chanceOf(features);
  // Boards have few of the largest models, so they do not decide where a large one is wanted.
  if (profile.priority === "quality" && profile.sizePreference !== "large") {
    chance = withMeasured(chance, model, profile.boards);
  }
  if (match.isNamed) {
    chance = Math.max(chance, NAMED_CHANCE);
  } else if (isReference(profile, model)) {
    chance = Math.min(chance, REFERENCE_CHANCE);
  }
  return {
    ...match,
    // Rounded as callers see it: scores that look equal are equal, and are ordered by name.
    score: Math.max(LEAST_SCORE, Number(bounded(chance, servesNeed, match.verdicts).toFixed(SCORE_DIGITS))),
    suitable: servesNeed && chance >= SUITABLE_CHANCE,
  };
}

/** Compares a model with a need. */
export function matchModel({ model, vector }: IndexedModel, profile: Profile, now = profile.now): Match {
  const sizing = sizeModel(model, profile.must, profile.wished);
  const isNamed = namesModel(profile.paddedWords, model.name) && !isReference(profile, model);
  const {
    match: task,
    serves,
    wanted,
  } = isNamed ? { match: 1, serves: 1, wanted: undefined } : bestTask(profile, model);
  const lexical = lexicalMatch(profile.words, wordsOf(model));
  const meaning = dot(profile.vector, vector);
  const signals: RankingSignals = {
    task,
    text: isNamed ? 1 : textSignal(meaning, lexical.share),
    adoption: adoptionOf(model),
    freshness: freshnessOf(model, now),
    fit: fitSignal(sizing),
    size: sizeSignal(model, sizing, profile.sizePreference),
    language: languageSignal(model, profile.namesLanguage),
    completeness: completenessOf(model),
  };
  const verdicts = profile.wishes.map((wish) => judgeWish(wish, model, sizing, profile));
  const source = { signals, meaning, lexicalShare: lexical.share, serves, isNamed, verdicts, sizing };
  return {
    model,
    isNamed,
    signals,
    task: wanted,
    lexical,
    verdicts,
    broken: verdicts.filter((v) => v.outcome === "breaks").length,
    sizing,
    servesNeed: isNamed || servesTask(serves, wanted) || servesPurpose(profile, model),
    features: featuresOf(model, profile, source),
  };
}

/** Whether the need names a model, its family, or the one that it is a copy of, only for comparison. */
function isReference(profile: Profile, { name, family, baseModel, repackaging }: IndexedModel["model"]): boolean {
  return profile.manner.references.some(
    (words) =>
      beginsWithModel(words, name) ||
      (repackaging && baseModel !== undefined && beginsWithModel(words, baseModel)) ||
      (isFamily(words, family) && profile.sizePreference !== "small"),
  );
}

/** Whether words begin with a family's name alone: "Whisper", and not "Whisper large v3". */
function isFamily(words: string, family: string): boolean {
  const name = paddedWords(family);
  return words.startsWith(name) && !/^(?:v?\d|large|medium|small|base|tiny|turbo)/.test(words.slice(name.length));
}

function servesTask(serves: number, wanted: Profile["tasks"][number] | undefined): boolean {
  return serves >= SUITABLE_TASK && (wanted === undefined || wanted.weight >= MEANT_WEIGHT);
}

function servesPurpose(profile: Profile, model: IndexedModel["model"]): boolean {
  const card = cardOf(model);
  return card !== undefined && profile.meantPurposes.some((purpose) => servingOf(card, purpose) >= SERVES);
}

/** The purposes that a model serves, by its card or by what that implies. */
export function servedPurposes(model: IndexedModel["model"]): string[] {
  const card = cardOf(model);
  return card === undefined
    ? []
    : Object.keys({ ...card.purposes, ...impliedBy(card) }).filter((id) => servingOf(card, id) >= SERVES);
}

/**
 * Whether a model may score at least `least`: true for all models that do, and for some others. It takes a fraction of
 * the time of scoring, so that one model can be compared with thousands of needs.
 */
export function mayScore({ model }: IndexedModel, profile: Profile, least: number): boolean {
  if (!isForSuitable(least)) {
    return true;
  }
  if (!namesModel(profile.paddedWords, model.name)) {
    const { serves, wanted } = bestTask(profile, model);
    if (!servesTask(serves, wanted) && !servesPurpose(profile, model)) {
      return false;
    }
  }
  // A broken wish bounds the score, whatever the rest says.
  const sizing = profile.wishes.length === 0 ? undefined : sizeModel(model, profile.must, profile.wished);
  return profile.wishes.every((wish) => {
    const { outcome } = judgeWish(wish, model, sizing, profile);
    return outcome !== "breaks" && !(wish.kind === "license" && outcome === "unknown");
  });
}

/** Whether only models that serve the need, or that it names, can score at least `least`. */
export function isForSuitable(least: number): boolean {
  return least > DOUBTED_MOST;
}

function bounded(chance: number, servesNeed: boolean, verdicts: readonly WishVerdict[]): number {
  const broken = verdicts.filter(({ outcome }) => outcome === "breaks");
  const further = PER_BROKEN_WISH ** Math.max(0, broken.length - 1);
  if (broken.some(({ wish, isCertain }) => isCertain || !inDegrees.has(wish.kind))) {
    return BREAKING_MOST * chance * further;
  }
  const isLicenseUnknown = verdicts.some(({ wish, outcome }) => wish.kind === "license" && outcome === "unknown");
  return broken.length > 0 || isLicenseUnknown || !servesNeed ? Math.min(DOUBTED_MOST, chance) * further : chance;
}

/** The wanted task that a model serves best: `serves` is the task match, `match` the same times the task's weight. */
function bestTask(
  profile: Profile,
  model: IndexedModel["model"],
): { match: number; serves: number; wanted?: Profile["tasks"][number] } {
  // No task was understood, but the need asks for a model: any model that passes the filter may serve.
  const open = profile.none < 0.5 ? 0.7 : 0;
  if (profile.tasks.length === 0) {
    return { match: open, serves: open };
  }
  let match = 0;
  let serves = 0;
  let wanted: Profile["tasks"][number] | undefined;
  for (const task of profile.tasks) {
    const served = taskMatch(task, model);
    if (task.weight * served <= match) {
      continue;
    }
    match = task.weight * served;
    serves = served;
    wanted = task;
  }
  return { match, serves, wanted };
}

/** The cosine of unrelated texts is about this. */
const COSINE_FLOOR = 0.1;
/** The cosine of a need and the text of a model made for exactly that. */
const COSINE_FULL = 0.85;
/** Combines both similarities. The square root, because a text with a quarter of a need's words is already about it. */
function textSignal(cosine: number, lexicalShare: number): number {
  const meaning = clamp((cosine - COSINE_FLOOR) / (COSINE_FULL - COSINE_FLOOR));
  return 0.5 * meaning + 0.5 * Math.sqrt(lexicalShare);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    sum += (a[i] as number) * (b[i] as number);
  }
  return sum;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** The words of each model's search text. The inventory caches model objects, so they are computed once. */
const words = new WeakMap<object, TextWords>();

function wordsOf(model: IndexedModel["model"]): TextWords {
  let found = words.get(model);
  if (found === undefined) {
    found = textWords(searchableText(model));
    words.set(model, found);
  }
  return found;
}
