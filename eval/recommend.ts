import { readConfig } from "../src/config/config.ts";
import type { Inventory } from "../src/inventory/inventory.ts";
import type { Need } from "../src/recommend/need.ts";
import { type Answer, type RecommendOptions, recommend } from "../src/recommend/recommend.ts";
import { createNeedReader, type ReadingOutcome } from "../src/recommend/understand/language-model.ts";
import { STARTER_GATHERED_AT } from "../src/sources/starter.ts";

/** Answers a need in this process. */
export type Recommend = (need: Need) => Promise<Answer>;

/** How many needs a language model was to read, by how that ended; empty without MODELSCOUT_LLM_URL. */
export const readings = new Map<ReadingOutcome, number>();

const { languageModel } = readConfig(process.env).config;
const read =
  languageModel &&
  createNeedReader({
    ...languageModel,
    onDone: (outcome) => readings.set(outcome, (readings.get(outcome) ?? 0) + 1),
    onProblem: (problem) => console.error(problem),
  });

/** Answers needs from an inventory at the date of its facts, so that metrics do not change from day to day. */
export function recommendFrom(inventory: Inventory, adjust?: RecommendOptions["adjust"]): Recommend {
  return (need) => recommend(inventory, need, { now: STARTER_GATHERED_AT, adjust, read });
}
