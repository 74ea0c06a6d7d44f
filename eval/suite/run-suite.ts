import type { Answer } from "../../src/recommend/recommend.ts";
import { validateNeed } from "../../src/rpc/recommendation/need.ts";
import type { Recommend } from "../recommend.ts";
import { countScore, emptyBands, type ScoreBand } from "../score-bands.ts";
import { type Check, checkAnswer, type PropertyKind, propertyKinds } from "./check-answer.ts";
import { needs } from "./needs.ts";

/** A property that does not hold. */
export interface Miss extends Omit<Check, "held"> {
  need: string;
  /** The understood tasks, most certain first. */
  understood: string;
  /** The score of the first result. */
  score: number | undefined;
}

/** The result of the suite. */
export interface SuiteReport {
  needs: number;
  held: number;
  total: number;
  /** The number of needs whose properties all hold. */
  whole: number;
  kinds: Array<{ kind: PropertyKind; held: number; total: number }>;
  /** How many first results have the task and are not outdated, by score. */
  scores: ScoreBand[];
  misses: Miss[];
}

const TOP = 5;

/** Answers every need of the suite and checks the answers. */
export async function runSuite(recommend: Recommend): Promise<SuiteReport> {
  const counts = new Map(Object.keys(propertyKinds).map((kind) => [kind, { held: 0, total: 0 }]));
  const scores = emptyBands();
  const misses: Miss[] = [];
  let whole = 0;
  for (const need of needs) {
    const answer = await recommend(validateNeed({ description: need.need, ...need.fields, topK: TOP }));
    const checks = checkAnswer(need, answer);
    for (const { held, ...check } of checks) {
      const count = counts.get(check.kind) as { held: number; total: number };
      count.total++;
      if (held) {
        count.held++;
      } else {
        misses.push({ need: need.need, ...check, understood: toldTasks(answer), score: answer.results[0]?.score });
      }
    }
    if (checks.every(({ held }) => held)) {
      whole++;
    }
    // The other results are not a fault of the first one.
    const faults = checks.filter(({ kind, held }) => !held && (kind === "task" || kind === "freshness"));
    countScore(scores, answer.results[0]?.score, !need.unserved && faults.length === 0);
  }
  const kinds = [...counts].map(([kind, count]) => ({ kind: kind as PropertyKind, ...count }));
  const sum = (key: "held" | "total") => kinds.reduce((all, count) => all + count[key], 0);
  return { needs: needs.length, held: sum("held"), total: sum("total"), whole, kinds, scores, misses };
}

function toldTasks({ understood }: Answer): string {
  return understood.tasks
    .map(({ task, taskType, confidence }) => `${taskType === "code" ? "code" : task} ${confidence.toFixed(2)}`)
    .join(", ");
}
