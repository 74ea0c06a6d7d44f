import { loadVocabulary, readStaticFile, type StaticFile, type Vocabulary, wordsOf } from "../../embedding/index.ts";
import { type TaskType, taskTypeOf } from "../../inventory/index.ts";
import { type PreparedWord, readTaskNetwork, softmax } from "./task-classifier-network.ts";

/** The most words of a description that are read. */
const MAX_WORDS = 300;
/** The least content words of a clause that is classified by itself. */
const CLAUSE_MIN_WORDS = 2;
/** The least confidence of both clauses' tasks for two needs: at a clear division ("and then"), and at "and". */
const CLEAR_DIVISION = 0.5;
const VAGUE_DIVISION = 0.75;
/** The label of texts that ask for no model. It is not a task. */
const NONE = "none";
/** The share of the two clauses' confidences; the rest is that of the whole description. */
const CLAUSE_SHARE = 0.8;

/** A task that a need may mean. */
export interface TaskGuess {
  /** The hub's task label; `text-generation` for writing programs. */
  task: string;
  /** The task type; `code` for writing programs. */
  taskType: TaskType;
  /** The probability that the description means this task, 0 to 1. Two needs share it. */
  confidence: number;
  /** If the description has two needs: 1 for the task of the first, 2 for the task of the second. */
  part?: 1 | 2;
}

/** The classification of a description. All confidences add up to 1. */
export interface Classification {
  /** Every task, most likely first. Text generation is in the list twice, for prose and for code. */
  tasks: TaskGuess[];
  /** The probability that the description asks for no model, 0 to 1. */
  none: number;
}

/** Classifies descriptions in plain English by hub task. */
export interface TaskClassifier {
  /** Identifies the data: its version and content hash. */
  readonly id: string;
  /** Every task of a classification. */
  readonly tasks: readonly { task: string; taskType: TaskType }[];
  /** Gives all tasks about the same low confidence if no word is known. Takes well under a millisecond. */
  classify(description: string): Classification;
}

let loaded: TaskClassifier | undefined;

/** Reads the bundled classifier, once in a process; takes milliseconds. */
export function loadTaskClassifier(): TaskClassifier {
  loaded ??= createTaskClassifier(readStaticFile(new URL("./task-classifier.bin", import.meta.url)), loadVocabulary());
  return loaded;
}

/**
 * Creates the classifier of a file.
 * @throws Error if the file was trained with another vocabulary.
 */
export function createTaskClassifier(file: StaticFile, vocabulary: Vocabulary): TaskClassifier {
  const facts = file.facts as { id: string; vocabulary: string; labels: string[]; temperature: number };
  if (facts.vocabulary !== vocabulary.id) {
    throw new Error(`the task classifier was trained with words ${facts.vocabulary}, not ${vocabulary.id}`);
  }
  const network = readTaskNetwork(file, vocabulary);
  const noneAt = facts.labels.indexOf(NONE);
  const taskOf = (label: string): { task: string; taskType: TaskType } =>
    label === "code" ? { task: "text-generation", taskType: "code" } : { task: label, taskType: taskTypeOf(label) };

  const judge = (words: readonly PreparedWord[]): Float32Array => softmax(network.scores(words), facts.temperature);

  /** If a description has two needs, mixes the confidences of both parts with those of the whole. */
  const judgeParts = (words: readonly string[], prepared: readonly PreparedWord[], whole: Float32Array): Judgement => {
    let best: Judgement = { shares: whole };
    let bestSure = 0;
    const announced = announcesTwo(words);
    for (const { at, until, clear } of clausesOf(words)) {
      const first = prepared.slice(0, at);
      const second = prepared.slice(until);
      if (!hasContent(first) || !hasContent(second)) {
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

/** The confidences of a description. */
interface Judgement {
  /** A confidence for each label. */
  shares: Float32Array;
  /** The indexes of the labels of two needs. */
  parts?: readonly [number, number];
}

function hasContent(words: readonly PreparedWord[]): boolean {
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

/** A place where a description may split into two needs. */
interface Division {
  /** The end of the first part, exclusive, as a word index. */
  at: number;
  /** The first word of the second part. */
  until: number;
  /** Whether the words between announce a second need, such as "and then", unlike "and". */
  clear: boolean;
}

/** Words between two needs, longest first, and whether they are clear. */
const connectives: readonly (readonly [readonly string[], boolean])[] = [
  [["and", "after", "that"], true],
  [["and", "afterwards"], true],
  [["and", "then"], true],
  [["and", "also"], true],
  [["as", "well", "as"], true],
  [["followed", "by"], true],
  [["after", "that"], true],
  [["in", "addition"], true],
  [["then"], true],
  [["afterwards"], true],
  [["plus"], true],
  [["also"], true],
  [["and"], false],
];

/** The most divisions of a description. More "and"s than this form a list, not needs. */
const MAX_DIVISIONS = 4;

/** Finds the places where the words may split into two needs, in order. */
function clausesOf(words: readonly string[]): Division[] {
  const found: Division[] = [];
  for (let at = 1; at < words.length - 1 && found.length < MAX_DIVISIONS; at++) {
    for (const [connective, clear] of connectives) {
      if (!connective.every((word, place) => words[at + place] === word)) {
        continue;
      }
      found.push({ at, until: at + connective.length, clear });
      at += connective.length - 1;
      break;
    }
  }
  return found;
}

/** Whether the words announce two needs: "two things: …", "two models", "both … and …". */
function announcesTwo(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      (word === "two" && /^(?:things|jobs|tasks|models|steps|parts|needs|problems)$/.test(words[at + 1] ?? "")) ||
      (word === "both" && words.indexOf("and", at) > at),
  );
}
