import { openInventory } from "../../src/app/open-inventory.ts";
import { readConfig } from "../../src/config/config.ts";
import type { Inventory } from "../../src/inventory/inventory.ts";
import { hasAnyLabel } from "../../src/inventory/table/filter.ts";
import { alternativesAmong } from "../../src/recommend/alternatives.ts";
import { diversify } from "../../src/recommend/diversify.ts";
import { explain } from "../../src/recommend/explain.ts";
import type { Need } from "../../src/recommend/need.ts";
import { profileOf } from "../../src/recommend/profile.ts";
import { recommend } from "../../src/recommend/recommend.ts";
import { retrieve } from "../../src/recommend/retrieve.ts";
import { scoreModel } from "../../src/recommend/score/score.ts";
import { understand } from "../../src/recommend/understand/understand.ts";
import { validateNeed } from "../../src/rpc/recommendation/need.ts";
import type { Report } from "../report/report.ts";
import { summarise } from "../report/summarise.ts";
import { needs } from "../support/needs.ts";
import { withHome } from "../support/with-home.ts";

const WARM_UP_ROUNDS = 5;
const ROUNDS = 15;

/** The time of each stage of a recommendation on the starter, in process. */
export async function measureStages(): Promise<Report> {
  process.env.LANCEDB_LOG ??= "off";
  return withHome(async (home) => {
    const { config } = readConfig({ MODELSCOUT_HOME: home });
    const { database, inventory } = await openInventory(config);
    try {
      const times = new Map<string, number[]>();
      const pools: number[] = [];
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
        for (const need of needs.map((need) => validateNeed(need))) {
          const taken = new Map<string, number>();
          pools.push(await stagesOf(inventory, need, (name, ms) => taken.set(name, ms)));
          if (round < 0) {
            continue;
          }
          for (const [name, ms] of taken) {
            times.set(name, [...(times.get(name) ?? []), ms]);
          }
        }
      }
      return {
        measures: [...times].map(([name, samples]) => ({
          name,
          unit: "ms",
          ...summarise(samples),
          goal: name === UNDERSTAND_AND_ENCODE ? { most: 0.7 } : undefined,
        })),
        notes: [
          `${needs.length} needs, ${ROUNDS} rounds after ${WARM_UP_ROUNDS} to warm up; ${summarise(pools).median} models are scored for the median need.`,
          "The stages are those of src/recommend/recommend.ts, run one after another, with the same results.",
          "The searches below 'retrieve' are its parts, each alone; 'retrieve' runs them at the same time.",
        ],
      };
    } finally {
      await database.close();
    }
  });
}

const UNDERSTAND_AND_ENCODE = "understand and encode";

/** Runs the stages of `recommend`, and reports the milliseconds of each. @returns the number of scored models. */
async function stagesOf(inventory: Inventory, need: Need, tell: (stage: string, ms: number) => void): Promise<number> {
  const timed = async <T>(stage: string, action: () => T | Promise<T>): Promise<T> => {
    const began = performance.now();
    const result = await action();
    tell(stage, performance.now() - began);
    return result;
  };
  const { description: text, filter } = need;
  const whole = await timed("whole recommendation", () => recommend(inventory, need));
  const { understood, vector } = await timed(UNDERSTAND_AND_ENCODE, async () => ({
    understood: understand(text),
    vector: (await inventory.encoder.encode([text]))[0] as Float32Array,
  }));
  await timed("  understand", () => understand(text));
  await timed("  encode", () => inventory.encoder.encode([text]));
  const profile = await timed("profile", () => profileOf(need, understood, vector, Date.now()));
  const found = await timed("retrieve", () => retrieve(inventory, need, profile));
  await timed("  full-text search, 60", () => inventory.search.rows({ text, limit: 60 }));
  await timed("  vector search, 60", () => inventory.search.rows({ vector, limit: 60 }));
  const conditions = [hasAnyLabel(["text-generation"])];
  await timed("  a task's vector search, 60", () => inventory.search.rows({ vector, limit: 60, conditions }));
  const keys = found.map(({ model }) => model.key);
  await timed("  reading these models by their keys", () => inventory.load(keys));
  await timed("count", () => Promise.all([inventory.size(), inventory.count(filter)]));
  const candidates = await timed("score", () => found.map((model) => scoreModel(model, profile)));
  const picked = await timed("diversify", () => diversify(candidates, need.topK));
  await timed("explain", () => picked.map((candidate) => explain(candidate, profile)));
  await timed("alternatives", () => picked.map(alternativesAmong(candidates, profile.boards)));
  const limited = filter.hardware !== undefined || filter.maxSizeGb !== undefined;
  const same = whole.results.every(({ model }, i) => model.key === picked[i]?.model.key);
  // With these two fields `recommend` drops some candidates. Without them, another order means that its stages changed.
  if (!limited && !same) {
    throw new Error("bench/measures/stages.ts no longer runs the stages of recommend()");
  }
  return found.length;
}
