import { readStaticFile } from "../../embedding/static-file.ts";
import { wordsOf } from "../../embedding/static-tokens.ts";
import { loadVocabulary } from "../../embedding/static-vocabulary.ts";
import { type TaskType, taskTypeOf } from "../../inventory/task-types.ts";
import { featuresOf } from "./task-classifier-features.ts";

/** A task that a need may mean. */
export interface TaskGuess {
  /** The hub's task label; `text-generation` for writing programs. */
  task: string;
  /** The task type; `code` for writing programs. */
  taskType: TaskType;
  /** 0..1: how likely the task is meant. */
  confidence: number;
}

/** Tells from a description in plain English which hub tasks are meant. */
export interface TaskClassifier {
  /** Names the data: version and content hash. */
  readonly id: string;
  /** Every task it can name, without confidence. */
  readonly tasks: readonly { task: string; taskType: TaskType }[];
  /**
   * Every task with its confidence, the likeliest first. Text generation is there twice, for prose and for code. A
   * text without a known word gets all tasks at the same low confidence. Well under a millisecond.
   */
  classify(description: string): TaskGuess[];
}

let loaded: TaskClassifier | undefined;

/** Reads the classifier once a process; milliseconds. */
export function loadTaskClassifier(): TaskClassifier {
  loaded ??= createTaskClassifier();
  return loaded;
}

function createTaskClassifier(): TaskClassifier {
  const file = readStaticFile(new URL("./task-classifier.bin", import.meta.url));
  const facts = file.facts as { id: string; labels: string[]; temperature: number; density: number };
  const vocabulary = loadVocabulary();
  const slots = file.section("slots", "u32");
  const hashes = file.section("hashes", "u32");
  const idf = file.section("idf", "f32");
  const scales = file.section("scales", "f32");
  const values = file.section("values", "i8");
  const offsets = file.section("offsets", "f32");
  const dense = file.section("dense", "f32");
  const mask = slots.length - 1;
  const count = facts.labels.length;
  const { dimensions } = vocabulary;
  const tasks = facts.labels.map((label) =>
    label === "code"
      ? { task: "text-generation", taskType: "code" as const }
      : { task: label, taskType: taskTypeOf(label) },
  );

  const scoresOf = (words: readonly string[]): Float32Array => {
    const scores = Float32Array.from(offsets);
    const rows: number[] = [];
    let squares = 0;
    for (const hash of featuresOf(words)) {
      for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const row = slots[slot]! - 1;
        if (hashes[row] !== hash) continue;
        rows.push(row);
        squares += idf[row]! * idf[row]!;
        break;
      }
    }
    const length = Math.sqrt(squares) || 1;
    for (const row of rows) {
      const factor = (idf[row]! / length) * scales[row]!;
      const start = row * count;
      for (let k = 0; k < count; k++) scores[k]! += factor * values[start + k]!;
    }
    const mean = meanOf(words);
    for (let at = 0; at < dimensions; at++) {
      const value = mean[at]! * facts.density;
      const start = at * count;
      for (let k = 0; k < count; k++) scores[k]! += value * dense[start + k]!;
    }
    return scores;
  };

  const meanOf = (words: readonly string[]): Float32Array => {
    const sum = new Float32Array(dimensions);
    for (const word of words) {
      const rows = vocabulary.rowsOf(word);
      for (const row of rows) {
        const factor = (vocabulary.weights[row]! * vocabulary.scales[row]!) / rows.length;
        const start = row * dimensions;
        for (let at = 0; at < dimensions; at++) sum[at]! += factor * vocabulary.vectors[start + at]!;
      }
    }
    let squares = 0;
    for (const value of sum) squares += value * value;
    const length = Math.sqrt(squares) || 1;
    for (let at = 0; at < dimensions; at++) sum[at]! /= length;
    return sum;
  };

  return {
    id: facts.id,
    tasks,
    classify(description) {
      const scores = scoresOf(wordsOf(description));
      let largest = -Infinity;
      for (const score of scores) largest = Math.max(largest, score);
      let sum = 0;
      for (let k = 0; k < count; k++) {
        scores[k] = Math.exp((scores[k]! - largest) / facts.temperature);
        sum += scores[k]!;
      }
      return tasks
        .map((task, k) => ({ ...task, confidence: scores[k]! / sum }))
        .sort((a, b) => b.confidence - a.confidence);
    },
  };
}
