import type { IndexedModel } from "../inventory/inventory.ts";
import { searchText } from "../inventory/search-text.ts";
import type { Candidate } from "./candidate.ts";
import { lexicalMatch, wordStems } from "./lexical-match.ts";
import { adoptionOf, completenessOf, fitMerit, freshnessOf, languageMerit, sizeMerit } from "./merits.ts";
import type { Profile } from "./profile.ts";
import { meritOf, type Signals } from "./signals.ts";
import { sizeModel } from "./sizing.ts";
import { SUITABLE_TASK, taskMatch, type WantedTask } from "./task-relations.ts";
import { judgeWish } from "./wish-verdict.ts";

/** Without any task understood, its text must be this near. */
const SUITABLE_TEXT = 0.45;
/** Suitable models that keep all wishes score from here to 1, those that break one below it. */
const KEEPS_WISHES = 0.5;
/**
 * What the match of the task, the match of the text and the merits count; they sum to 1. The text counts most, because
 * it can outvote a task that was misread, and tells the models of a task apart. Chosen on eval/suite (docs/quality.md).
 */
const TASK_WEIGHT = 0.22;
const TEXT_WEIGHT = 0.56;
const MERIT_WEIGHT = 0.22;
/** What is left of the score for each further broken wish. */
const PER_BROKEN_WISH = 0.8;
/** What is left of the score for each wish of which the inventory does not know whether it is met. */
const PER_UNKNOWN_WISH = 0.93;
/** A model that serves none of the tasks scores at most this, and one that serves any more than this. */
const UNSUITABLE_MOST = 0.25;
/** Decimals of a score. */
const SCORE_DIGITS = 4;

/**
 * Weighs a model for a need.
 *
 * The score is banded so that its order keeps the contract: suitable models that break no wish, then suitable ones that
 * break some, then the rest. Within a band it grows with the match (task and text) and the merits.
 */
export function scoreModel({ model, vector }: IndexedModel, profile: Profile): Candidate {
  const sizing = sizeModel(model, profile.must, profile.wished);
  const { match: task, serves, wanted } = bestTask(profile, model);
  const lexical = lexicalMatch(profile.words, stemsOf(model));
  const signals: Signals = {
    task,
    text: textSignal(dot(profile.vector, vector), lexical.share),
    adoption: adoptionOf(model),
    freshness: freshnessOf(model, profile.now),
    fit: fitMerit(sizing),
    size: sizeMerit(model, sizing, profile.sizePreference),
    language: languageMerit(model, profile.namesLanguage),
    completeness: completenessOf(model),
  };
  const verdicts = profile.wishes.map((wish) => judgeWish(wish, model, sizing, profile.must));
  const suitable = profile.tasks.length > 0 ? serves >= SUITABLE_TASK : signals.text >= SUITABLE_TEXT;
  const broken = verdicts.filter((v) => v.outcome === "breaks").length;
  const unknown = verdicts.filter((v) => v.outcome === "unknown").length;
  const match = TASK_WEIGHT * task + TEXT_WEIGHT * signals.text;
  const strength = (match + MERIT_WEIGHT * meritOf(signals)) * PER_UNKNOWN_WISH ** unknown;
  const certain = strength * (0.6 + 0.4 * profile.certainty);
  return {
    model,
    // Rounded as callers see it, so that scores that look equal are equal and ordered by name.
    score: Number(banded(certain, suitable, broken).toFixed(SCORE_DIGITS)),
    suitable,
    signals,
    task: wanted,
    lexical,
    verdicts,
    broken,
    sizing,
  };
}

function banded(strength: number, suitable: boolean, broken: number): number {
  if (!suitable) return UNSUITABLE_MOST * strength * PER_BROKEN_WISH ** broken;
  if (broken > 0)
    return UNSUITABLE_MOST + (KEEPS_WISHES - UNSUITABLE_MOST) * strength * PER_BROKEN_WISH ** (broken - 1);
  return KEEPS_WISHES + (1 - KEEPS_WISHES) * strength;
}

/** The task that a model serves best: how well, and how well weighed by how certainly it is meant. */
function bestTask(
  profile: Profile,
  model: IndexedModel["model"],
): { match: number; serves: number; wanted?: WantedTask } {
  // A task type was asked for and no task of it was understood: every model of the type serves.
  const ofType = profile.filter.taskType === undefined ? 0 : 0.7;
  if (profile.tasks.length === 0) return { match: ofType, serves: ofType };
  let match = 0;
  let serves = 0;
  let wanted: WantedTask | undefined;
  for (const task of profile.tasks) {
    const served = taskMatch(task, model);
    if (task.weight * served <= match) continue;
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
  return 0.65 * meaning + 0.35 * Math.sqrt(lexicalShare);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Stems of each model's search text; models are the inventory's own cached objects, so this is computed once. */
const stems = new WeakMap<object, ReadonlySet<string>>();

function stemsOf(model: IndexedModel["model"]): ReadonlySet<string> {
  let found = stems.get(model);
  if (found === undefined) {
    found = new Set(wordStems(searchText(model)));
    stems.set(model, found);
  }
  return found;
}
