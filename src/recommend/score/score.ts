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
 * What the odds of suiting rest on, by logistic regression over the five strongest models for every need of eval/suite
 * that tells the right tasks: `node eval/fit-chance.ts` fits them anew.
 */
const odds = { constant: -6.65, strength: 6.93, certainty: 5.51 };

/**
 * The chance that a model which serves the understood tasks is one for the need, 0 to 1: it grows with the strength of
 * the match and with the certainty that the first of these is meant, both 0 to 1.
 */
export function chanceOfSuiting(strength: number, certainty: number): number {
  return 1 / (1 + Math.exp(-(odds.constant + odds.strength * strength + odds.certainty * certainty)));
}

/**
 * What the match of the task, the match of the text and the merits count; they sum to 1. The text counts most, because
 * it can outvote a task that was misread, and tells the models of a task apart. Chosen on eval/suite (docs/quality.md).
 */
const TASK_WEIGHT = 0.16;
const TEXT_WEIGHT = 0.68;
const QUALITY_WEIGHT = 0.16;
/** What is left of the chance for each further broken wish. */
const PER_BROKEN_WISH = 0.6;
/** The same where it is doubtful whether the model suits: of those the ones that keep the wishes come first, too. */
const PER_BROKEN_WISH_IN_DOUBT = 0.2;
/** What is left of the strength for each wish of which the inventory does not know whether it is met. */
const PER_UNKNOWN_WISH = 0.84;
/** A model suits from this chance on; those that suit and keep all wishes score their chance. */
const SUITABLE_CHANCE = 0.5;
/** A model suits for tasks of this weight on: a twentieth of the surest one's confidence. */
const MEANT_WEIGHT = 0.47;
/** Models that do not suit score at most this, and those that suit and break a wish from here to the chance above. */
const UNSUITABLE_MOST = 0.25;
/** Decimals of a score. */
const SCORE_DIGITS = 4;

/**
 * Weighs a model for a need.
 *
 * The score is the chance that the model suits, banded so that its order keeps the contract: suitable models that break
 * no wish, then suitable ones that break some, then the rest. Within a band it grows with the match (task and text) and
 * the merits.
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
    // Rounded as callers see it, so that scores that look equal are equal and ordered by name.
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
 * Whether a model may score so much for a need: true for all models that do, and for few others. Takes a fraction of the
 * time of scoring, for judging one model for thousands of needs.
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
  // With all merits there are, and no wish that is broken or unknown.
  const chance = chanceOfSuiting(TASK_WEIGHT * task + TEXT_WEIGHT * text + QUALITY_WEIGHT, profile.certainty);
  const most = banded(chance, serves >= SUITABLE_TASK && chance >= SUITABLE_CHANCE, 0);
  return Number(most.toFixed(SCORE_DIGITS)) >= least;
}

/** Whether only models that are made for the need, or named by it, can score so much. */
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

/** The task that a model serves best: how well, and how well weighed by how certainly it is meant. */
function bestTask(
  profile: Profile,
  model: IndexedModel["model"],
): { match: number; serves: number; wanted?: Profile["tasks"][number] } {
  // No task was understood, but a model is meant (a task type was asked for): whatever passes the filter may serve.
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

/** Vectors of texts that have nothing to do with each other still have a cosine of about this. */
const COSINE_FLOOR = 0.1;
/** Cosine of a need and the text of a model made for just that. */
const COSINE_FULL = 0.85;
/** The root of the shared words, because a text that holds a quarter of what a need says is already about it. */
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

/** The words of each model's search text; models are the inventory's own cached objects, so this is computed once. */
const words = new WeakMap<object, TextWords>();

function wordsOf(model: IndexedModel["model"]): TextWords {
  let found = words.get(model);
  if (found === undefined) {
    found = textWords(searchableText(model));
    words.set(model, found);
  }
  return found;
}
