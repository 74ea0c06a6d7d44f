import { licenseFacts } from "../inventory/index.ts";
import type { Candidate } from "./candidate.ts";
import { byScore } from "./diversify.ts";
import { betterMeasured, type FittingBoard } from "./score/measured.ts";
import { factsOf } from "./score/model-facts.ts";

/** How many alternatives a result names. */
const MOST = 3;

/** Ways in which another model for the same need may differ, in order of importance. */
const differences: ReadonlyArray<(other: Candidate, than: Candidate, boards: readonly FittingBoard[]) => boolean> = [
  // It is clearly smaller.
  (other, than) => memory(other) <= 0.6 * memory(than),
  // It was measured to be better.
  (other, than, boards) => betterMeasured(other.model, than.model, boards) !== undefined,
  // Its licence allows more.
  (other, than) => freedom(other) > freedom(than),
  // It is larger, for callers who have the hardware, and at least as widely used.
  (other, than) => memory(other) >= 1.8 * memory(than) && other.signals.adoption >= than.signals.adoption,
  // It handles more languages.
  (other, than) => other.model.languages.length >= than.model.languages.length + 10,
  // It is newer.
  (other, than) => other.signals.freshness >= than.signals.freshness + 0.3,
];

/** The least score of an alternative, as a share of the result's. */
const LEAST_SHARE = 0.6;
/** The least task signal of an alternative, as a share of the result's. */
const SERVES_ALIKE = 0.8;

/** Names alternatives to a candidate. */
export type AlternativesTo = (candidate: Candidate) => Candidate[];

/**
 * Returns a function that names up to three other models for the same need: the best one that is smaller, measurably
 * better, more freely licensed, larger, multilingual or newer; if none differs so, the best of other families. An
 * alternative is suitable and breaks no more wishes than the candidate; it is for the same task if there is such a model.
 * If the need names the candidate, any model for its task will do: the need may contain nothing but the name.
 *
 * @param pool all candidates.
 * @param boards the boards that compare models for the need, the best fitting first.
 */
export function alternativesAmong(pool: readonly Candidate[], boards: readonly FittingBoard[]): AlternativesTo {
  const ranked = [...pool].sort(byScore);
  const bases = new Map<string, string>();
  for (const { model } of pool) {
    const { baseKey } = factsOf(model);
    if (baseKey !== undefined) {
      bases.set(model.key, baseKey);
    }
  }
  const originOf = origins(bases);
  return (candidate) => {
    const suitable: Candidate[] = [];
    for (const other of ranked) {
      // The candidates that follow have lower scores.
      if (!candidate.isNamed && other.score < LEAST_SHARE * candidate.score) {
        break;
      }
      const serves = candidate.isNamed || other.suitable;
      if (serves && other.broken <= candidate.broken && isAnotherModel(other, candidate, bases)) {
        suitable.push(other);
      }
    }
    const alike = suitable.filter((other) => doesTheSame(other, candidate));
    const different = differences.map((differs) => alike.find((other) => differs(other, candidate, boards)));
    const named = different.filter((other) => other !== undefined);
    if (named.length > 0) {
      return [...new Set(named)].slice(0, MOST);
    }
    const isOfAnotherLine = ({ model }: Candidate) =>
      model.family !== candidate.model.family && originOf(model) !== originOf(candidate.model);
    const best = alike.filter(isOfAnotherLine);
    const others = best.length > 0 || candidate.isNamed ? best : suitable.filter(isOfAnotherLine);
    return others.slice(0, MOST);
  };
}

/** The base model of each candidate that has one, both as keys. */
type Bases = ReadonlyMap<string, string>;

/** Returns a function for the model that another one was made from, over all steps that the pool knows. */
function origins(bases: Bases): (model: Candidate["model"]) => string {
  return (model) => {
    const { key } = model;
    const baseModel = factsOf(model).baseKey;
    const seen = new Set([key]);
    let origin = baseModel ?? key;
    for (let base = bases.get(origin); base !== undefined && !seen.has(base); base = bases.get(base)) {
      seen.add(base);
      origin = base;
    }
    return origin;
  };
}

function doesTheSame(other: Candidate, than: Candidate): boolean {
  // A model that the need names has no wanted task.
  if (than.task === undefined) {
    return than.model.labels[0] === other.model.labels[0];
  }
  return other.task?.task === than.task.task && other.signals.task >= SERVES_ALIKE * than.signals.task;
}

/** Whether neither model is made from the other. A repackaging counts as the model that it packages. */
function isAnotherModel(a: Candidate, b: Candidate, bases: Bases): boolean {
  const [one, other] = [packagedBy(a), packagedBy(b)];
  const madeFrom = ({ model }: Candidate) =>
    model.repackaging ? bases.get(packagedBy({ model })) : bases.get(model.key);
  return one !== other && madeFrom(a) !== other && madeFrom(b) !== one;
}

/** The key of the model itself, or of the one that it packages. */
function packagedBy({ model }: Pick<Candidate, "model">): string {
  return model.repackaging ? (factsOf(model).baseKey ?? model.key) : model.key;
}

/** Memory in 10^9 bytes; NaN when unknown, so that no comparison with it holds. */
function memory(candidate: Candidate): number {
  return candidate.sizing?.estimate.memoryGb ?? Number.NaN;
}

function freedom({ model }: Candidate): number {
  const facts = licenseFacts(model.license);
  return facts === undefined ? Number.NaN : ["non-commercial", "commercial", "open", "permissive"].indexOf(facts.class);
}
