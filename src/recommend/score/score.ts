import { gradeAt, impliedBy, placeOfPurpose, SERVES, servingIn, servingOf } from "../../catalogue/index.ts";
import { dotProduct } from "../../embedding/index.ts";
import type { IndexedModel, Model } from "../../inventory/index.ts";
import type { Candidate, RankingSignals, WishVerdict } from "../candidate.ts";
import type { Profile } from "../profile.ts";
import { LEAST_CONFIDENCE, SUITABLE_TASK, taskMatch } from "../tasks.ts";
import type { WishKind } from "../understand/wishes/wish.ts";
import { cardOf } from "./card-of.ts";
import type { FeatureSource } from "./features/features.ts";
import { featuresOf } from "./features/features.ts";
import { loadRankingModel } from "./learned/ranking-model.ts";
import { sharedPart } from "./lexical-match.ts";
import { withMeasured } from "./measured.ts";
import { factsOf, type ModelFacts } from "./model-facts.ts";
import { beginsWithModel, hasName, paddedWords, shortNameOf } from "./names-model.ts";
import { fitSignal, freshnessSince, sizeSignal } from "./quality-signals.ts";
import { type Sizing, sizeModel } from "./sizing.ts";
import { judgeWish } from "./wish-verdict.ts";

/** Factor of the score for each broken wish after the first. */
const PER_BROKEN_WISH = 0.6;
/** The least chance of a suitable model: below it the answer says that the model may not do what is described. */
const SUITABLE_CHANCE = 0.3;
/** The least weight of a task that a model may serve by its label: a twentieth of the confidence in the first task. */
const MEANT_WEIGHT = 0.47;
/**
 * The most score of a model that serves neither a wanted task nor a wanted purpose, that breaks a wish of degrees, or
 * whose licence is unknown where one is asked for. Up to `DOUBTED_FROM` the chance stays as it is: of the graded models
 * with such a fault and a chance of 0.3 to 0.5, half are good choices; of the 69 without the licence, three. Higher chances
 * are pressed between the two, so that the likelier model still comes first.
 */
const DOUBTED_MOST = 0.45;
const DOUBTED_FROM = 0.4;
/**
 * The most score of a model that breaks another wish. Of the graded models that break the licence, or that translate in
 * other directions, none with a higher chance is good.
 */
const BREAKING_MOST = 0.299;
/** Wishes that a model may miss by a little, or by facts that are not quite known. */
const inDegrees: ReadonlySet<WishKind> = new Set<WishKind>(["size", "hardware", "language"]);
/** The least chance of a model that the need names, and the share that the trees add: "Mistral 7B" names several. */
const NAMED_CHANCE = 0.9;
const NAMED_BY_TREES = 0.09;
/** The same for a copy with the same name: it comes after the model that it copies. */
const NAMESAKE_BY_TREES = 0.02;
/** The most chance of a model that the need names only for comparison: "like X but smaller". */
const REFERENCE_CHANCE = 0.05;
/**
 * The most chance of a model for a need in which no task and no purpose was read, such as one in another language: no model
 * is known to serve it.
 */
const UNREAD_MOST = 0.299;
/** Scores have four decimals. */
const SCORE_STEPS = 1e4;
/** No chance is ever certain to be 0. */
const LEAST_SCORE = 1e-4;

/** Everything about a model and a need that the score and its explanation are read from. */
export interface MatchedModel extends Candidate, FeatureSource {
  verdicts: WishVerdict[];
  sizing: Sizing | undefined;
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
  const match = matchModel(indexed, profile, now);
  const { model, isNamed, verdicts, servesNeed } = match;
  let chance = judged(loadRankingModel().chanceOf(match.features), model, profile);
  if (isNamed) {
    const share = isNamesake(model, profile) ? NAMESAKE_BY_TREES : NAMED_BY_TREES;
    chance = Math.max(chance, NAMED_CHANCE + share * chance);
  } else if (isReference(profile, model)) {
    chance = Math.min(chance, REFERENCE_CHANCE);
  } else if (isUnread(profile)) {
    chance *= UNREAD_MOST;
  }
  // Rounded as callers see it: scores that look equal are equal, and are ordered by name.
  const score = Math.round(bounded(chance, servesNeed, verdicts) * SCORE_STEPS) / SCORE_STEPS;
  match.score = Math.max(LEAST_SCORE, score);
  match.suitable = servesNeed && chance >= SUITABLE_CHANCE;
  return match;
}

/** Whether neither the words of a need nor its fields say what a model is wanted for. */
function isUnread({ certainty, purposes }: Profile): boolean {
  return certainty < LEAST_CONFIDENCE && purposes.length === 0;
}

/** Adjusts the chance of the trees, 0 to 1, by figures of boards if quality decides. A higher chance stays higher. */
export function judged(chance: number, model: Model, profile: Profile): number {
  return isJudgedByBoards(profile) ? withMeasured(chance, model, profile.boards) : chance;
}

/** Whether `judged` can change a chance: not if a large model is wanted, as boards have few of the largest models. */
export function isJudgedByBoards({ priority, sizePreference }: Profile): boolean {
  return priority === "quality" && sizePreference !== "large";
}

/** Compares a model with a need. The score is 0 and `suitable` false: `scoreModel` sets them. */
export function matchModel({ model, vector }: IndexedModel, profile: Profile, now = profile.now): MatchedModel {
  const facts = factsOf(model);
  const sizing = sizeModel(model, profile.must, profile.wished);
  const isNamed = hasName(profile.paddedWords, facts.shortName) && !isReference(profile, model);
  const best = isNamed ? NAMED_TASK : bestTask(profile, model);
  const lexicalShare = sharedPart(profile.words, facts.words);
  const meaning = dotProduct(profile.vector, vector);
  const signals = signalsOf(facts, profile, sizing, now);
  signals.task = best.match;
  signals.text = isNamed ? 1 : textSignal(meaning, lexicalShare);
  const verdicts = judgeWishes(model, sizing, profile);
  let broken = 0;
  let unknown = 0;
  for (let i = 0; i < verdicts.length; i++) {
    const { outcome } = verdicts[i] as WishVerdict;
    broken += Number(outcome === "breaks");
    unknown += Number(outcome === "unknown");
  }
  const { serves } = best;
  // One object for the features and for the answer: hundreds of models are compared with each need.
  const match: MatchedModel = {
    model,
    score: 0,
    suitable: false,
    isNamed,
    signals,
    task: best.wanted,
    verdicts,
    broken,
    unknown,
    sizing,
    meaning,
    lexicalShare,
    serves,
    servesNeed: isNamed || servesTask(serves, best.wanted) || servesPurpose(profile, facts),
    features: NO_FEATURES,
  };
  match.features = featuresOf(model, facts, profile, match);
  return match;
}

const NO_FEATURES = new Float32Array(0);

/** The task of a model that the need names. */
const NAMED_TASK: BestTask = { match: 1, serves: 1, wanted: undefined };

const NO_VERDICTS: WishVerdict[] = [];

function judgeWishes(model: Model, sizing: Sizing | undefined, profile: Profile): WishVerdict[] {
  const { wishes } = profile;
  return wishes.length === 0 ? NO_VERDICTS : wishes.map((wish) => judgeWish(wish, model, sizing, profile));
}

/** The signals of a model for a need, apart from what the need is about: task and text are 0. */
export function signalsOf(
  { quality, unaskedLanguage }: Pick<ModelFacts, "quality" | "unaskedLanguage">,
  { sizePreference, namesLanguage }: Pick<Profile, "sizePreference" | "namesLanguage">,
  sizing: Sizing | undefined,
  now: number,
): RankingSignals {
  return {
    task: 0,
    text: 0,
    adoption: quality.adoption,
    freshness: freshnessSince(quality.since, now),
    fit: fitSignal(sizing),
    size: sizeSignal(quality, sizing, sizePreference),
    language: namesLanguage ? 1 : unaskedLanguage,
    completeness: quality.completeness,
  };
}

/** Whether a model is a copy with the name of the original, by an owner whom the need does not name. */
function isNamesake(model: Model, profile: Profile): boolean {
  const { copyOf, shortName } = factsOf(model);
  const [owner = ""] = model.name.split("/");
  return (
    copyOf !== undefined &&
    shortNameOf(copyOf).short === shortName.short &&
    !profile.paddedWords.includes(paddedWords(owner))
  );
}

/** Whether the need names a model, its family, or the one that it is a copy of, only for comparison. */
function isReference({ manner, sizePreference }: Profile, model: Model): boolean {
  return manner.references.length > 0 && isReferredTo(manner.references, model, sizePreference);
}

function isReferredTo(
  references: readonly string[],
  { name, family, baseModel, repackaging }: Model,
  sizePreference: Profile["sizePreference"],
): boolean {
  return references.some(
    (words) =>
      beginsWithModel(words, name) ||
      (repackaging && baseModel !== undefined && beginsWithModel(words, baseModel)) ||
      (isFamily(words, family) && sizePreference !== "small"),
  );
}

/** Whether words begin with a family's name alone: "Whisper", and not "Whisper large v3". */
function isFamily(words: string, family: string): boolean {
  const name = paddedWords(family);
  return words.startsWith(name) && !/^(?:v?\d|large|medium|small|base|tiny|turbo)/.test(words.slice(name.length));
}

export function servesTask(serves: number, wanted: Profile["tasks"][number] | undefined): boolean {
  return serves >= SUITABLE_TASK && (wanted === undefined || wanted.weight >= MEANT_WEIGHT);
}

export function servesPurpose({ meantPurposes }: Profile, { grades }: Pick<ModelFacts, "grades">): boolean {
  if (grades.length === 0) {
    return false;
  }
  for (let i = 0; i < meantPurposes.length; i++) {
    if (servingIn(gradeAt(grades, placeOfPurpose(meantPurposes[i] as string))) >= SERVES) {
      return true;
    }
  }
  return false;
}

/** The purposes that a model serves, by its card or by what that implies. */
export function servedPurposes(model: Model): string[] {
  const card = cardOf(model);
  return card === undefined
    ? []
    : Object.keys({ ...card.purposes, ...impliedBy(card) }).filter((id) => servingOf(card, id) >= SERVES);
}

/** Whether only models that serve the need, or that it names, can score at least `least`. */
export function isForSuitable(least: number): boolean {
  return least > DOUBTED_MOST;
}

/**
 * A chance, bounded by what the model is known not to serve. It grows with the chance, and is at most the chance.
 */
export function bounded(chance: number, servesNeed: boolean, verdicts: readonly WishVerdict[]): number {
  let broken = 0;
  let isBreaking = false;
  let isLicenseUnknown = false;
  for (let i = 0; i < verdicts.length; i++) {
    const { wish, outcome, isCertain } = verdicts[i] as WishVerdict;
    if (outcome === "breaks") {
      broken += 1;
      isBreaking ||= isCertain === true || !inDegrees.has(wish.kind);
    } else if (outcome === "unknown" && wish.kind === "license") {
      isLicenseUnknown = true;
    }
  }
  const further = broken > 1 ? PER_BROKEN_WISH ** (broken - 1) : 1;
  if (isBreaking) {
    return BREAKING_MOST * chance * further;
  }
  return broken > 0 || isLicenseUnknown || !servesNeed ? doubted(chance) * further : chance;
}

/** The score of a chance that is in doubt; see `DOUBTED_MOST`. */
function doubted(chance: number): number {
  const above = Math.max(0, chance - DOUBTED_FROM) / (1 - DOUBTED_FROM);
  return Math.min(DOUBTED_FROM, chance) + above * (DOUBTED_MOST - DOUBTED_FROM);
}

/** The wanted task that a model serves best. */
interface BestTask {
  /** How well the model serves it, times the weight of the task. */
  match: number;
  /** The same without the weight. */
  serves: number;
  /** Undefined if it serves none. */
  wanted: Profile["tasks"][number] | undefined;
}

function bestTask(profile: Profile, model: Model): BestTask {
  const { tasks } = profile;
  if (tasks.length === 0) {
    const match = openTask(profile);
    return { match, serves: match, wanted: undefined };
  }
  // As `bestOf` finds it, without lists for each model.
  const best: BestTask = { match: 0, serves: 0, wanted: undefined };
  for (let i = 0; i < tasks.length; i++) {
    const wanted = tasks[i] as Profile["tasks"][number];
    const serves = taskMatch(wanted, model);
    const match = wanted.weight * serves;
    if (match > best.match) {
      best.match = match;
      best.serves = serves;
      best.wanted = wanted;
    }
  }
  return best;
}

/** No task was understood, but the need asks for a model: any model that passes the filter may serve. */
export function openTask({ none }: Profile): number {
  return none < 0.5 ? 0.7 : 0;
}

/** The first task with the highest product of weight and service; -1 if all products are 0. */
export function bestOf(weights: ArrayLike<number>, served: ArrayLike<number>): number {
  let best = -1;
  let most = 0;
  for (let i = 0; i < weights.length; i++) {
    const match = (weights[i] as number) * (served[i] as number);
    if (match > most) {
      most = match;
      best = i;
    }
  }
  return best;
}

/** The cosine of unrelated texts is about this. */
const COSINE_FLOOR = 0.1;
/** The cosine of a need and the text of a model made for exactly that. */
const COSINE_FULL = 0.85;
/** Combines both similarities. The square root, because a text with a quarter of a need's words is already about it. */
export function textSignal(cosine: number, lexicalShare: number): number {
  const meaning = clamp((cosine - COSINE_FLOOR) / (COSINE_FULL - COSINE_FLOOR));
  return 0.5 * meaning + 0.5 * Math.sqrt(lexicalShare);
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
