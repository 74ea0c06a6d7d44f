import type { MergedModel } from "./merge.ts";
import type { Model } from "./model.ts";
import type { PastFacts } from "./source-facts.ts";

/** Fields that say where facts are from, not what the model is. */
const notFacts: ReadonlySet<string> = new Set(["source", "sourceUrl", "sources", "factsFrom"]);

/** What a change took from a model; undefined when it is the same model still, whoever tells it. */
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

/** Changes whose former facts are kept: those of a reader who is that many behind can be told. */
const MOST_KEPT = 5;
/** Characters of JSON that they may take; texts are long. */
const MOST_CHARS = 20_000;

/** The past with one more change in front. The newest is always kept, of the others those that there is room for. */
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
 * A model as it was after a write, from what it is now and its past. Where that reaches not so far, the oldest that is
 * known.
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
