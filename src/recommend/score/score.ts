import { type IndexedModel, searchableText } from "../../inventory/index.ts";
import { type Candidate, qualityOf, type RankingSignals } from "../candidate.ts";
import type { Profile } from "../profile.ts";
import { SUITABLE_TASK, taskMatch } from "../tasks.ts";
import { lexicalMatch, type TextWords, textWords } from "./lexical-match.ts";
import { namesModel } from "./names-model.ts";
import { adoptionOf, completenessOf, fitSignal, freshnessOf, languageSignal, sizeSignal } from "./quality-signals.ts";
import { sizeModel } from "./sizing.ts";
import { judgeWish } from "./wish-verdict.ts";

/**
 * The coefficients of the chance of suiting, by logistic regression over the five strongest models for every need of
 * eval/suite whose tasks are understood. `node eval/fit-chance.ts` fits them.
 */
const coefficients = { constant: -6.65, strength: 6.93, certainty: 5.51 };

/**
 * The probability that a model for the understood tasks suits the need, 0 to 1. It grows with the strength of the match
 * and with the certainty of the first task, both 0 to 1.
 */
export function chanceOfSuiting(strength: number, certainty: number): number {
  return (
    1 / (1 + Math.exp(-(coefficients.constant + coefficients.strength * strength + coefficients.certainty * certainty)))
  );
}

/**
 * The weights of the task match, the text match and the quality signals; they sum to 1. The text has the most, because
 * it distinguishes the models for a task and can outweigh a misunderstood task. Chosen on eval/suite (docs/quality.md).
 */
const TASK_WEIGHT = 0.16;
const TEXT_WEIGHT = 0.68;
const QUALITY_WEIGHT = 0.16;
/** Factor of the chance for each broken wish after the first. */
const PER_BROKEN_WISH = 0.6;
/** Factor of the chance for each broken wish of an unsuitable model, so that those that break none come first. */
const PER_BROKEN_WISH_IN_DOUBT = 0.2;
/** Factor of the strength for each wish that the known facts do not decide. */
const PER_UNKNOWN_WISH = 0.84;
/** The least chance of a suitable model. One that breaks no wish has its chance as its score. */
const SUITABLE_CHANCE = 0.5;
/** The least weight of a task that makes a model suitable: a twentieth of the confidence in the first task. */
const MEANT_WEIGHT = 0.47;
/** The most score of an unsuitable model. Suitable ones that break a wish score between this and SUITABLE_CHANCE. */
const UNSUITABLE_MOST = 0.25;
/** Decimals of a score. */
const SCORE_DIGITS = 4;

/**
 * Scores a model for a need.
 *
 * The score is the chance that the model suits, in three bands: suitable models that break no wish, then suitable
 * models that break some, then the rest. Within a band it grows with the match (task and text) and the quality signals.
 */
export function scoreModel({ model, vector }: IndexedModel, profile: Profile): Candidate {
  const sizing = sizeModel(model, profile.must, profile.wished);
  const isNamed = namesModel(profile.paddedWords, model.name);
  const {
    match: task,
    serves,
    wanted,
  } = isNamed ? { match: 1, serves: 1, wanted: undefined } : bestTask(profile, model);
  const lexical = lexicalMatch(profile.words, wordsOf(model));
  const signals: RankingSignals = {
    task,
    text: isNamed ? 1 : textSignal(dot(profile.vector, vector), lexical.share),
    adoption: adoptionOf(model),
    freshness: freshnessOf(model, profile.now),
    fit: fitSignal(sizing),
    size: sizeSignal(model, sizing, profile.sizePreference),
    language: languageSignal(model, profile.namesLanguage),
    completeness: completenessOf(model),
  };
  const verdicts = profile.wishes.map((wish) => judgeWish(wish, model, sizing, profile.must));
  const broken = verdicts.filter((v) => v.outcome === "breaks").length;
  const unknown = verdicts.filter((v) => v.outcome === "unknown").length;
  const match = TASK_WEIGHT * task + TEXT_WEIGHT * signals.text;
  const strength = (match + QUALITY_WEIGHT * qualityOf(signals)) * PER_UNKNOWN_WISH ** unknown;
  const chance = chanceOfSuiting(strength, isNamed ? 1 : profile.certainty);
  const isMeant = wanted === undefined || wanted.weight >= MEANT_WEIGHT;
  const suitable = isMeant && serves >= SUITABLE_TASK && chance >= SUITABLE_CHANCE;
  return {
    model,
    // Rounded as callers see it: scores that look equal are equal, and are ordered by name.
    score: Number(banded(chance, suitable, broken).toFixed(SCORE_DIGITS)),
    strength,
    suitable,
    isNamed,
    signals,
    task: wanted,
    lexical,
    verdicts,
    broken,
    sizing,
  };
}

/**
 * Whether a model may score at least `least`: true for all models that do, and for few others. It takes a fraction of
 * the time of scoring, so that one model can be compared with thousands of needs.
 */
export function mayScore({ model, vector }: IndexedModel, profile: Profile, least: number): boolean {
  if (namesModel(profile.paddedWords, model.name)) {
    return true;
  }
  const { match: task, serves } = bestTask(profile, model);
  if (serves < SUITABLE_TASK && least > UNSUITABLE_MOST) {
    return false;
  }
  const text = textSignal(dot(profile.vector, vector), lexicalMatch(profile.words, wordsOf(model)).share);
  // With the best quality signals, and no broken or unknown wish.
  const chance = chanceOfSuiting(TASK_WEIGHT * task + TEXT_WEIGHT * text + QUALITY_WEIGHT, profile.certainty);
  const most = banded(chance, serves >= SUITABLE_TASK && chance >= SUITABLE_CHANCE, 0);
  return Number(most.toFixed(SCORE_DIGITS)) >= least;
}

/** Whether only models that are made for the need, or that it names, can score at least `least`. */
export function isForSuitable(least: number): boolean {
  return least > UNSUITABLE_MOST;
}

function banded(chance: number, suitable: boolean, broken: number): number {
  if (!suitable) {
    return UNSUITABLE_MOST * chance * PER_BROKEN_WISH_IN_DOUBT ** broken;
  }
  if (broken === 0) {
    return chance;
  }
  return UNSUITABLE_MOST + (SUITABLE_CHANCE - UNSUITABLE_MOST) * chance * PER_BROKEN_WISH ** (broken - 1);
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
