import { loadVocabulary, readStaticFile, type StaticFile, type Vocabulary, wordsOf } from "../../embedding/index.ts";
import { type TaskType, taskTypeOf } from "../../inventory/index.ts";
import { announcesTwo, clausesOf } from "./task-classifier-clauses.ts";
import { type PreparedWord, readTaskNetwork } from "./task-classifier-network.ts";

/** Words of a description that are read: the first this many. */
const MAX_WORDS = 300;
/** A clause needs so many words that say something to be judged by itself. */
const CLAUSE_MIN_WORDS = 2;
/** How certain the tasks of two clauses must each be for a need to be two needs, by how clearly it is divided. */
const CLEAR_DIVISION = 0.5;
const VAGUE_DIVISION = 0.75;
/** The label of needs that no model serves; never told as a task. */
const NONE = "none";
/** What two needs' own judgements count beside that of the whole. */
const CLAUSE_SHARE = 0.8;

/** A task that a need may mean. */
export interface TaskGuess {
  /** The hub's task label; `text-generation` for writing programs. */
  task: string;
  /** The task type; `code` for writing programs. */
  taskType: TaskType;
  /** How likely this is the task that is meant, 0 to 1. Two needs share it. */
  confidence: number;
  /** Where the description is two needs: 1 for the first one's task, 2 for the second's. */
  part?: 1 | 2;
}

/** What a description was taken for. All confidences add up to 1. */
export interface Classification {
  /** Every task, the likeliest first. Text generation is there twice, for prose and for code. */
  tasks: TaskGuess[];
  /** How likely no model of any task is meant, 0 to 1. */
  none: number;
}

/** Tells from a description in plain English which hub tasks are meant. */
export interface TaskClassifier {
  /** Names the data: version and content hash. */
  readonly id: string;
  /** Every task it can name. */
  readonly tasks: readonly { task: string; taskType: TaskType }[];
  /** A text without a known word gets all tasks at about the same low confidence. Well under a millisecond. */
  classify(description: string): Classification;
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
  if (facts.vocabulary !== vocabulary.id) {
    throw new Error(`the task classifier was trained with words ${facts.vocabulary}, not ${vocabulary.id}`);
  }
  const network = readTaskNetwork(file, vocabulary);
  const noneAt = facts.labels.indexOf(NONE);
  const taskOf = (label: string): { task: string; taskType: TaskType } =>
    label === "code" ? { task: "text-generation", taskType: "code" } : { task: label, taskType: taskTypeOf(label) };

  const judge = (words: readonly PreparedWord[]): Float32Array => {
    const scores = network.scores(words);
    let largest = -Infinity;
    for (const score of scores) {
      if (score > largest) {
        largest = score;
      }
    }
    let sum = 0;
    for (let k = 0; k < scores.length; k++) {
      scores[k] = Math.exp((scores[k]! - largest) / facts.temperature);
      sum += scores[k]!;
    }
    for (let k = 0; k < scores.length; k++) {
      scores[k]! /= sum;
    }
    return scores;
  };

  /** Where a description asks for two things, what the two parts say takes most of the whole's place. */
  const judgeParts = (words: readonly string[], prepared: readonly PreparedWord[], whole: Float32Array): Judgement => {
    let best: Judgement = { shares: whole };
    let bestSure = 0;
    const announced = announcesTwo(words);
    for (const { at, until, clear } of clausesOf(words)) {
      const first = prepared.slice(0, at);
      const second = prepared.slice(until);
      if (!says(first) || !says(second)) {
        continue;
      }
      const before = judge(first);
      const after = judge(second);
      const one = largestOf(before);
      const other = largestOf(after);
      if (one === other || one === noneAt || other === noneAt) {
        continue;
      }
      const sure = Math.min(before[one]!, after[other]!);
      if (sure < (clear || announced ? CLEAR_DIVISION : VAGUE_DIVISION) || sure <= bestSure) {
        continue;
      }
      bestSure = sure;
      best = {
        shares: before.map((share, k) => CLAUSE_SHARE * 0.5 * (share + after[k]!) + (1 - CLAUSE_SHARE) * whole[k]!),
        parts: [one, other],
      };
    }
    return best;
  };

  return {
    id: facts.id,
    tasks: facts.labels.filter((_, k) => k !== noneAt).map(taskOf),
    classify(description) {
      const words = wordsOf(description).slice(0, MAX_WORDS);
      const prepared = words.map(network.prepare);
      const { shares, parts } = judgeParts(words, prepared, judge(prepared));
      const tasks: TaskGuess[] = [];
      for (const [k, label] of facts.labels.entries()) {
        if (k === noneAt) {
          continue;
        }
        const guess: TaskGuess = { ...taskOf(label), confidence: shares[k]! };
        if (parts?.[0] === k) {
          guess.part = 1;
        }
        if (parts?.[1] === k) {
          guess.part = 2;
        }
        tasks.push(guess);
      }
      tasks.sort((a, b) => b.confidence - a.confidence);
      return { tasks, none: shares[noneAt] ?? 0 };
    },
  };
}

/** What a network says of a description. */
interface Judgement {
  /** A confidence a label. */
  shares: Float32Array;
  /** The labels of two needs, by their places. */
  parts?: readonly [number, number];
}

function says(words: readonly PreparedWord[]): boolean {
  let count = 0;
  for (const { features } of words) {
    if (features.content && ++count >= CLAUSE_MIN_WORDS) {
      return true;
    }
  }
  return false;
}

function largestOf(values: Float32Array): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) {
    if (values[k]! > values[best]!) {
      best = k;
    }
  }
  return best;
}
