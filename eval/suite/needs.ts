import { readFileSync } from "node:fs";
import type { EvalNeed } from "./need.ts";
import { audioNeeds } from "./needs-audio.ts";
import { classifyNeeds } from "./needs-classify.ts";
import { commonNeeds } from "./needs-common.ts";
import { embedNeeds } from "./needs-embed.ts";
import { imageNeeds } from "./needs-images.ts";
import { otherNeeds } from "./needs-other.ts";
import { secondNeeds } from "./needs-second.ts";
import { textNeeds } from "./needs-text.ts";
import { thirdNeeds } from "./needs-third.ts";
import { visionNeeds } from "./needs-vision.ts";

/** The expectations that the second reviewers changed. */
const changing = ["models", "first", "tasks", "also"] as const;

/** Names or labels to add to an expectation, and to remove from it. */
interface Change {
  add?: readonly string[];
  remove?: readonly string[];
}

/** What a second reviewer changed of a need's expectations, and why. */
interface Opinion extends Partial<Record<(typeof changing)[number], Change>> {
  need: string;
  why: string;
  /** Whether a model of the inventory serves the need after all. */
  isServed?: true;
}

/**
 * Applies second-opinion.jsonl: on 2026-11-28 three reviewers, large language models, read all needs with their expectations
 * and the list of the whole inventory, and named right answers that the expectations rejected. They saw no answer of any program.
 *
 * @throws Error if an opinion is about no need of the suite.
 */
export function withSecondOpinion(needs: readonly EvalNeed[]): EvalNeed[] {
  const opinions = new Map(readOpinions().map((opinion) => [opinion.need, opinion]));
  const changed = needs.map((need) => {
    const opinion = opinions.get(need.need);
    opinions.delete(need.need);
    return opinion === undefined ? need : apply(need, opinion);
  });
  if (opinions.size > 0) {
    throw new Error(`second-opinion.jsonl has needs that the suite lacks: ${[...opinions.keys()].join("; ")}`);
  }
  return changed;
}

function readOpinions(): Opinion[] {
  const text = readFileSync(new URL("./second-opinion.jsonl", import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Opinion);
}

function apply(need: EvalNeed, opinion: Opinion): EvalNeed {
  const { unserved: _, ...served } = need;
  const changed: EvalNeed = { ...(opinion.isServed ? served : need) };
  for (const field of changing) {
    const change = opinion[field];
    if (change !== undefined) {
      const { add = [], remove = [] } = change;
      changed[field] = [...new Set([...(need[field] ?? []), ...add])].filter((each) => !remove.includes(each));
    }
  }
  return changed;
}

/**
 * Needs for the starter catalogue, written before the program answered them, with the expectations of a person who
 * knows its models. Nothing is trained on them: a wrong answer is mended at its cause.
 */
export const needs: readonly EvalNeed[] = withSecondOpinion([
  ...textNeeds,
  ...embedNeeds,
  ...classifyNeeds,
  ...visionNeeds,
  ...imageNeeds,
  ...audioNeeds,
  ...otherNeeds,
  ...secondNeeds,
  ...thirdNeeds,
  ...commonNeeds,
]);
