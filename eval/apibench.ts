import { readFileSync } from "node:fs";
import { join } from "node:path";
import { validateNeed } from "../src/rpc/recommendation/need.ts";
import type { Recommend } from "./recommend.ts";
import { countScore, emptyBands, type ScoreBand } from "./score-bands.ts";

/** Metrics of APIBench's needs, as shares of needs. */
export interface ApibenchReport {
  needs: number;
  /** The first result has the task of the right model. */
  task1: number;
  /** One of the first three results has it. */
  task3: number;
  /** The first result is the right model. */
  model1: number;
  /** The right model is among the first ten results. */
  model10: number;
  /** How many first results have the task of the right model, by score. */
  scores: ScoreBand[];
  misses: string[];
}

/** Answers every need in APIBench's folder and scores the answers as its score.mjs does. Returns only metrics. */
export async function runApibench(folder: string, recommend: Recommend): Promise<ApibenchReport> {
  const models = rows<{ name: string; task_types: string[] }>(join(folder, "models.jsonl"));
  const taskOf = new Map(models.map((model) => [model.name.toLowerCase(), model.task_types[0]]));
  const needs = rows<{ need: string; model: string; task: string }>(join(folder, "needs.dev.jsonl"));
  const hits = { task1: 0, task3: 0, model1: 0, model10: 0 };
  const scores = emptyBands();
  const misses: string[] = [];
  for (const { need, model, task } of needs) {
    const { results } = await recommend(validateNeed({ description: need, topK: 10 }));
    const names = results.map((result) => result.model.name.toLowerCase());
    const tasks = names.map((name) => taskOf.get(name));
    if (tasks[0] === task) {
      hits.task1++;
    } else {
      misses.push(`${task} <- ${tasks[0]}  ${need.slice(0, 140)}`);
    }
    if (tasks.slice(0, 3).includes(task)) {
      hits.task3++;
    }
    if (names[0] === model.toLowerCase()) {
      hits.model1++;
    }
    if (names.includes(model.toLowerCase())) {
      hits.model10++;
    }
    countScore(scores, results[0]?.score, tasks[0] === task);
  }
  const share = (count: number) => count / needs.length;
  return {
    needs: needs.length,
    task1: share(hits.task1),
    task3: share(hits.task3),
    model1: share(hits.model1),
    model10: share(hits.model10),
    scores,
    misses,
  };
}

function rows<T>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}
