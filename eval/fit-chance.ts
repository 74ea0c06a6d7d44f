/**
 * Fits the coefficients of src/recommend/score/score.ts: `node eval/fit-chance.ts` prints them. Logistic regression
 * over the first five results of every need of the suite that states the right tasks, or that no model serves.
 */
import { scoreCandidates } from "../src/recommend/recommend.ts";
import { SUITABLE_TASK, taskMatch } from "../src/recommend/tasks.ts";
import { validateNeed } from "../src/rpc/recommendation/need.ts";
import { STARTER_GATHERED_AT } from "../src/sources/starter.ts";
import { serves } from "./suite/check-answer.ts";
import { needs } from "./suite/needs.ts";
import { withEvalInventory } from "./with-inventory.ts";

const PICKS = 5;
const STEPS = 20_000;
const STEP_SIZE = 0.5;
/** Regularisation: it keeps the weights small if few needs decide them. */
const SHRINKAGE = 1e-4;

interface Judged {
  /** The inputs: 1, strength and certainty. */
  facts: readonly number[];
  suits: 0 | 1;
}

const judged = await withEvalInventory(undefined, async (inventory) => {
  const found: Judged[] = [];
  for (const { need, fields, unserved, tasks = [], also = [], parts = [] } of needs) {
    const right = [...tasks, ...also, ...parts.flat()];
    if (!unserved && right.length === 0) {
      continue;
    }
    const checked = validateNeed({ description: need, ...fields, topK: PICKS });
    const { profile, candidates } = await scoreCandidates(inventory, checked, { now: STARTER_GATHERED_AT });
    const serving = candidates
      .filter(({ model, task }) => task !== undefined && taskMatch(task, model) >= SUITABLE_TASK)
      .sort((a, b) => b.strength - a.strength);
    for (const { model, strength } of serving.slice(0, PICKS)) {
      const suits = !unserved && serves(model, right) ? 1 : 0;
      found.push({ facts: [1, strength, profile.certainty], suits });
    }
  }
  return found;
});

const weights = [0, 0, 0];
for (let step = 0; step < STEPS; step++) {
  const slope = [0, 0, 0];
  for (const { facts, suits } of judged) {
    const odds = facts.reduce((sum, fact, i) => sum + fact * (weights[i] as number), 0);
    const error = 1 / (1 + Math.exp(-odds)) - suits;
    for (const [i, fact] of facts.entries()) {
      slope[i] = (slope[i] as number) + error * fact;
    }
  }
  for (const [i, weight] of weights.entries()) {
    weights[i] = weight - STEP_SIZE * ((slope[i] as number) / judged.length + SHRINKAGE * weight);
  }
}
const [constant, strength, certainty] = weights.map((weight) => Number(weight.toFixed(2)));
console.log(`${judged.length} picks`, { constant, strength, certainty });
