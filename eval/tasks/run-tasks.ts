import { readFileSync } from "node:fs";
import { loadNeedClassifier } from "../../src/recommend/understand/need-classifier.ts";

/** A need with all labels whose models are a right answer, best first. */
interface LabelledNeed {
  need: string;
  /** Labels of the hub; `code` for text generation of programs, `none` for needs that no model serves. */
  labels: string[];
}

/** Metrics of the understanding of tasks, from the words alone. */
export interface TasksReport {
  /** Needs with a task. */
  served: number;
  /** The share of these whose most certain task is right. */
  task1: number;
  /** The share of these with a right task among the three most certain. */
  task3: number;
  /** Needs without a task. */
  unserved: number;
  /** The share of these whose tasks all have a confidence below 0.5. */
  doubted: number;
  /** The mean of the negative natural logarithm of the confidence in the right labels, over all needs. */
  logLoss: number;
  misses: Array<{ need: string; expected: string; understood: string }>;
}

const UNSERVED = "none";
/** The least confidence in the loss, because 0 would make it infinite. */
const LEAST_CONFIDENCE = 1e-4;

/** Measures the understanding of tasks with needs that the classifier was not trained on. */
export function runTaskSuite(): TasksReport {
  const lines = readFileSync(new URL("./needs.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n");
  const classifier = loadNeedClassifier();
  const report = { served: 0, unserved: 0, misses: [] as TasksReport["misses"] };
  let [first, near, doubted, loss] = [0, 0, 0, 0];
  for (const { need, labels } of lines.map((line) => JSON.parse(line) as LabelledNeed)) {
    const { tasks, none } = classifier.classify(need).byTask;
    const guesses = tasks.map(({ task, taskType, confidence }) => ({
      label: taskType === "code" ? "code" : task,
      confidence,
    }));
    const all = [...guesses, { label: UNSERVED, confidence: none }];
    const right = all
      .filter(({ label }) => labels.includes(label))
      .reduce((sum, { confidence }) => sum + confidence, 0);
    loss -= Math.log(Math.max(LEAST_CONFIDENCE, right));
    const [surest] = guesses as [(typeof guesses)[number]];
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
      if (guesses.slice(0, 3).some(({ label }) => labels.includes(label))) {
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
