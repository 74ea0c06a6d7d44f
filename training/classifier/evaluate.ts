import { parseStaticFile } from "../../src/embedding/static/static-file.ts";
import type { Vocabulary } from "../../src/embedding/static/static-vocabulary.ts";
import { createTaskClassifier } from "../../src/recommend/understand/task-classifier.ts";
import type { TrainingExample } from "../examples/example.ts";
import { type ClassifierOptions, trainClassifier } from "./classifier.ts";

/** The classification of a need that the classifier was not trained with. */
export interface Judgement {
  label: string;
  guessed: string;
  /** Confidence of the first guess. */
  confidence: number;
  /** Confidence of the right label. */
  right: number;
  /** Whether the right label is among the first three. */
  near: boolean;
}

/** Trains on some examples and classifies others, with the code of the product. */
export async function evaluate(
  train: readonly TrainingExample[],
  test: readonly TrainingExample[],
  options: ClassifierOptions & { vocabulary: Vocabulary },
): Promise<Judgement[]> {
  const classifier = createTaskClassifier(parseStaticFile(await trainClassifier(train, options)), options.vocabulary);
  return test.map(({ text, label }) => {
    const { tasks, none } = classifier.classify(text);
    const guesses = [
      { label: "none", confidence: none },
      ...tasks.map(({ task, taskType, confidence }) => ({ label: taskType === "code" ? "code" : task, confidence })),
    ].sort((a, b) => b.confidence - a.confidence);
    const first = guesses[0]!;
    return {
      label,
      guessed: first.label,
      confidence: first.confidence,
      right: guesses.find((guess) => guess.label === label)!.confidence,
      near: guesses.slice(0, 3).some((guess) => guess.label === label),
    };
  });
}

/** Accuracy of the first guess, accuracy of the first three, mean log loss, and expected calibration error. */
export function metricsOf(judged: readonly Judgement[]): {
  top1: number;
  top3: number;
  loss: number;
  calibration: number;
} {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  let calibration = 0;
  for (let bin = 0; bin < 10; bin++) {
    const inside = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin);
    if (inside.length === 0) {
      continue;
    }
    const right = mean(inside.map(({ label, guessed }) => Number(label === guessed)));
    calibration += (inside.length / judged.length) * Math.abs(right - mean(inside.map(({ confidence }) => confidence)));
  }
  return {
    top1: mean(judged.map(({ label, guessed }) => Number(label === guessed))),
    top3: mean(judged.map(({ near }) => Number(near))),
    loss: mean(judged.map(({ right }) => -Math.log(Math.max(1e-6, right)))),
    calibration,
  };
}
