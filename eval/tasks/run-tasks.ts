import { readFileSync } from "node:fs";
import { loadTaskClassifier } from "../../src/recommend/understand/task-classifier.ts";

/** A need with every label whose models would be a fully right answer, the best first. */
interface LabelledNeed {
  need: string;
  /** Labels of the hub; `code` for text generation of programs, `none` for what no model is made for. */
  labels: string[];
}

/** How well tasks are understood, from the words alone. */
export interface TasksReport {
  /** Needs that a task serves. */
  served: number;
  /** Share of these of which the surest task is right. */
  task1: number;
  /** Share of these of which one of the three surest is right. */
  task3: number;
  /** Needs that no task serves. */
  unserved: number;
  /** Share of these of which every task is doubted: below one half. */
  doubted: number;
  /** Mean of the negative natural logarithm of the confidence in the right labels, over all needs. */
  logLoss: number;
  misses: Array<{ need: string; expected: string; understood: string }>;
}

const UNSERVED = "none";
/** A confidence of nothing would make the loss infinite. */
const LEAST_CONFIDENCE = 1e-4;

/** Judges the understanding of tasks by needs that took no part in making it. */
export function runTasks(): TasksReport {
  const lines = readFileSync(new URL("./needs.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const classifier = loadTaskClassifier();
  const report = { served: 0, unserved: 0, misses: [] as TasksReport["misses"] };
  let [first, near, doubted, loss] = [0, 0, 0, 0];
  for (const { need, labels } of lines.map((line) => JSON.parse(line) as LabelledNeed)) {
    const { tasks, none } = classifier.classify(need);
    const told = tasks.map(({ task, taskType, confidence }) => ({
      label: taskType === "code" ? "code" : task,
      confidence,
    }));
    const all = [...told, { label: UNSERVED, confidence: none }];
    const right = all
      .filter(({ label }) => labels.includes(label))
      .reduce((sum, { confidence }) => sum + confidence, 0);
    loss -= Math.log(Math.max(LEAST_CONFIDENCE, right));
    const [surest] = told as [(typeof told)[number]];
    let isRight: boolean;
    if (labels.includes(UNSERVED)) {
      isRight = surest.confidence < 0.5;
      report.unserved++;
      if (isRight) {
        doubted++;
      }
    } else {
      isRight = labels.includes(surest.label);
      report.served++;
      if (isRight) {
        first++;
      }
      if (told.slice(0, 3).some(({ label }) => labels.includes(label))) {
        near++;
      }
    }
    const understood = `${surest.label} ${surest.confidence.toFixed(2)}`;
    if (!isRight) {
      report.misses.push({ need, expected: labels.join(" or "), understood });
    }
  }
  return {
    ...report,
    task1: first / report.served,
    task3: near / report.served,
    doubted: doubted / report.unserved,
    logLoss: loss / lines.length,
  };
}
