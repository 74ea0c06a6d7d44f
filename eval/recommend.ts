import type { Inventory } from "../src/inventory/inventory.ts";
import type { Need } from "../src/recommend/need.ts";
import { type Answer, type RecommendOptions, recommend } from "../src/recommend/recommend.ts";
import { STARTER_GATHERED_AT } from "../src/sources/starter.ts";

/** Answers a need in this process. */
export type Recommend = (need: Need) => Promise<Answer>;

/** Answers needs from an inventory at the date of its facts, so that metrics do not change from day to day. */
export function recommendFrom(inventory: Inventory, adjust?: RecommendOptions["adjust"]): Recommend {
  return (need) => recommend(inventory, need, { now: STARTER_GATHERED_AT, adjust });
}
