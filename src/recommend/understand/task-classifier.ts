import { readStaticFile, type StaticFile } from "../../embedding/static-file.ts";
import { wordsOf } from "../../embedding/static-tokens.ts";
import { loadVocabulary, type Vocabulary } from "../../embedding/static-vocabulary.ts";
import { type TaskType, taskTypeOf } from "../../inventory/task-types.ts";
import { clausesOf } from "./task-classifier-clauses.ts";
import { type PreparedWord, readTaskNetwork } from "./task-classifier-network.ts";

/** Words of a description that are read: the first this many. */
const MAX_WORDS = 300;
/** A clause needs so many words that say something to be judged by itself. */
const CLAUSE_MIN_WORDS = 2;
/** How certain the tasks of two clauses must each be for a need to be two needs, by how clearly it is divided. */
const CLEAR_DIVISION = 0.5;
const VAGUE_DIVISION = 0.75;
/** What two needs' own judgements count beside that of the whole. */
const CLAUSE_SHARE = 0.8;

/** A task that a need may mean. */
export interface TaskGuess {
  /** The hub's task label; `text-generation` for writing programs. */
  task: string;
  /** The task type; `code` for writing programs. */
  taskType: TaskType;
  /** How likely this is the task that is meant, 0 to 1; all tasks' add up to 1. Two needs share it. */
  confidence: number;
}

/** Tells from a description in plain English which hub tasks are meant. */
export interface TaskClassifier {
  /** Names the data: version and content hash. */
  readonly id: string;
  /** Every task it can name. */
  readonly tasks: readonly { task: string; taskType: TaskType }[];
  /**
   * Every task with its confidence, the likeliest first. Text generation is there twice, for prose and for code. A
   * text without a known word gets all tasks at about the same low confidence. Well under a millisecond.
   */
  classify(description: string): TaskGuess[];
}

let loaded: TaskClassifier | undefined;

/** Reads the bundled classifier once a process; milliseconds. */
export function loadTaskClassifier(): TaskClassifier {
  loaded ??= createTaskClassifier(readStaticFile(new URL("./task-classifier.bin", import.meta.url)), loadVocabulary());
  return loaded;
}

/** The classifier that a file holds, over the words it was trained with. */
export function createTaskClassifier(file: StaticFile, vocabulary: Vocabulary): TaskClassifier {
  const facts = file.facts as { id: string; vocabulary: string; labels: string[]; temperature: number };
  if (facts.vocabulary !== vocabulary.id)
    throw new Error(`the task classifier was trained with words ${facts.vocabulary}, not ${vocabulary.id}`);
  const network = readTaskNetwork(file, vocabulary);
  const tasks = facts.labels.map((label) =>
    label === "code"
      ? { task: "text-generation", taskType: "code" as const }
      : { task: label, taskType: taskTypeOf(label) },
  );

  const judge = (words: readonly PreparedWord[]): Float32Array => {
    const scores = network.scores(words);
    let largest = -Infinity;
    for (const score of scores) if (score > largest) largest = score;
    let sum = 0;
    for (let k = 0; k < scores.length; k++) {
      scores[k] = Math.exp((scores[k]! - largest) / facts.temperature);
      sum += scores[k]!;
    }
    for (let k = 0; k < scores.length; k++) scores[k]! /= sum;
    return scores;
  };

  /** Where a description asks for two things, what the two parts say takes most of the whole's place. */
  const judgeParts = (
    words: readonly string[],
    prepared: readonly PreparedWord[],
    whole: Float32Array,
  ): Float32Array => {
    let best: Float32Array | undefined;
    let bestSure = 0;
    for (const { at, until, clear } of clausesOf(words)) {
      const first = prepared.slice(0, at);
      const second = prepared.slice(until);
      if (!says(first) || !says(second)) continue;
      const before = judge(first);
      const after = judge(second);
      const one = largestOf(before);
      const other = largestOf(after);
      if (one === other) continue;
      const sure = Math.min(before[one]!, after[other]!);
      if (sure < (clear ? CLEAR_DIVISION : VAGUE_DIVISION) || sure <= bestSure) continue;
      bestSure = sure;
      best = before.map((share, k) => CLAUSE_SHARE * 0.5 * (share + after[k]!) + (1 - CLAUSE_SHARE) * whole[k]!);
    }
    return best ?? whole;
  };

  return {
    id: facts.id,
    tasks,
    classify(description) {
      const words = wordsOf(description).slice(0, MAX_WORDS);
      const prepared = words.map(network.prepare);
      const shares = judgeParts(words, prepared, judge(prepared));
      return tasks.map((task, k) => ({ ...task, confidence: shares[k]! })).sort((a, b) => b.confidence - a.confidence);
    },
  };
}

function says(words: readonly PreparedWord[]): boolean {
  let count = 0;
  for (const { features } of words) if (features.content && ++count >= CLAUSE_MIN_WORDS) return true;
  return false;
}

function largestOf(values: Float32Array): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k]! > values[best]!) best = k;
  return best;
}
