import type { MergedModel } from "./merge.ts";
import type { Model } from "./model.ts";
import type { PastFacts } from "./source-facts.ts";

/** Fields about the sources of facts, not about the model. */
const notFacts: ReadonlySet<string> = new Set(["source", "sourceUrl", "sources", "factsFrom"]);

/** The facts that a change replaced; undefined if only the sources changed. */
export function replacedFacts(before: MergedModel, after: MergedModel): Omit<PastFacts, "until"> | undefined {
  const facts: Record<string, unknown> = {};
  for (const field of new Set([...Object.keys(before.model), ...Object.keys(after.model)])) {
    if (notFacts.has(field)) {
      continue;
    }
    const was = before.model[field as keyof Model];
    if (JSON.stringify(was) !== JSON.stringify(after.model[field as keyof Model])) {
      facts[field] = was ?? null;
    }
  }
  const isSameText = before.text === after.text;
  if (Object.keys(facts).length === 0 && isSameText) {
    return undefined;
  }
  return { facts, ...(!isSameText && { text: before.text }) };
}

/** Changes whose former facts are kept, for followers that are up to this many behind. */
const MOST_KEPT = 5;
/** Characters of JSON that these may take; texts are long. */
const MOST_CHARS = 20_000;

/** Puts one more change in front of the past. The newest is always kept, older ones as long as there is room. */
export function remember(newest: PastFacts, past: readonly PastFacts[]): PastFacts[] {
  const kept = [newest];
  let chars = JSON.stringify(newest).length;
  for (const older of past.slice(0, MOST_KEPT - 1)) {
    chars += JSON.stringify(older).length;
    if (chars > MOST_CHARS) {
      break;
    }
    kept.push(older);
  }
  return kept;
}

/**
 * Reconstructs a model as it was after a write, from its present state and its past. If the past does not reach so far,
 * returns the oldest known state.
 *
 * @param change number of the write.
 */
export function modelAfter(change: number, now: MergedModel, past: readonly PastFacts[]): MergedModel {
  let { model, text } = now;
  for (const { until, facts, text: pastText } of past) {
    if (until <= change) {
      break;
    }
    model = { ...model };
    for (const [field, value] of Object.entries(facts)) {
      if (value === null) {
        delete model[field as keyof Model];
      } else {
        Object.assign(model, { [field]: value });
      }
    }
    text = pastText ?? text;
  }
  return { model, text };
}
