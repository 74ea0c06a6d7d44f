import { loadVocabulary, readStaticFile, type StaticFile, type Vocabulary, wordsOf } from "../../embedding/index.ts";
import { type TaskType, taskTypeOf } from "../../inventory/index.ts";
import { type PreparedWord, readNeedNetwork, softmax } from "./need-network.ts";
import { loadPurposeBayes, type PurposeBayes } from "./purpose-bayes.ts";
import { MAX_WORDS } from "./text-features.ts";

/** The least content words of a clause that is classified by itself. */
const CLAUSE_MIN_WORDS = 2;
/** The least confidence of both clauses' tasks for two needs: at a clear division ("and then"), and at "and". */
const CLEAR_DIVISION = 0.5;
const VAGUE_DIVISION = 0.75;
/** The label of texts that do not ask for a model. It is neither a task nor a purpose. */
const NONE = "none";
/** The share of the two clauses in the confidences. The whole description has the rest. */
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

/** Something that a need may want a model for. */
export interface PurposeGuess {
  /** The id of a purpose of the catalogue. */
  purpose: string;
  /** The probability that the description means it, 0 to 1. */
  confidence: number;
}

/** The tasks of a description. All confidences add up to 1. */
export interface Classification {
  /** Every task, most likely first. Text generation is in the list twice, for prose and for code. */
  tasks: TaskGuess[];
  /** The probability that the description asks for no model, 0 to 1. */
  none: number;
}

/** The purposes of a description. All confidences, with that of no purpose, add up to 1. */
export interface PurposeReading {
  /** Every purpose, in no order. */
  purposes: PurposeGuess[];
  /** The probability that no purpose of the catalogue is meant, 0 to 1. */
  none: number;
}

/** Classifies descriptions in plain English: by hub task, and by what they want a model for. */
export interface NeedClassifier {
  /** Identifies the data: its version and content hash. */
  readonly id: string;
  /** Every task of a classification. */
  readonly tasks: readonly { task: string; taskType: TaskType }[];
  /**
   * Gives all labels about the same low confidence if no word is known. Takes a fraction of a millisecond for a sentence,
   * and some for the longest texts.
   */
  classify(description: string): { byTask: Classification; byPurpose: PurposeReading };
}

/** The facts in the head of the classifier's file. */
interface ClassifierFacts {
  id: string;
  vocabulary: string;
  tasks: string[];
  purposes: string[];
  /** What the scores of tasks and of purposes are divided by before they become confidences. */
  temperatures: { tasks: number; purposes: number };
}

let loaded: NeedClassifier | undefined;

/** Reads the bundled classifier, once in a process; takes milliseconds. */
export function loadNeedClassifier(): NeedClassifier {
  loaded ??= createNeedClassifier(
    readStaticFile(new URL("./need-classifier.bin", import.meta.url)),
    loadVocabulary(),
    loadPurposeBayes(),
  );
  return loaded;
}

/**
 * Creates the classifier of a file.
 *
 * @param bayes corrects the purposes. Default: they stay as the network reads them.
 * @throws Error if the file was trained with another vocabulary, or for other purposes than `bayes`.
 */
export function createNeedClassifier(file: StaticFile, vocabulary: Vocabulary, bayes?: PurposeBayes): NeedClassifier {
  const facts = file.facts as unknown as ClassifierFacts;
  if (facts.vocabulary !== vocabulary.id) {
    throw new Error(`the classifier of needs was trained with words ${facts.vocabulary}, not ${vocabulary.id}`);
  }
  if (bayes !== undefined && bayes.purposes.join() !== facts.purposes.slice(0, -1).join()) {
    throw new Error(`the classifier of needs was trained for other purposes than ${bayes.id}`);
  }
  const network = readNeedNetwork(file, vocabulary);
  const { tasks: labels, temperatures } = facts;
  const judge = (words: readonly PreparedWord[]): Shares => {
    const scores = network.scores(words);
    const purposes = softmax(scores.subarray(labels.length), temperatures.purposes);
    bayes?.correct(
      purposes.subarray(0, bayes.purposes.length),
      words.map(({ features }) => features),
    );
    return { tasks: softmax(scores.subarray(0, labels.length), temperatures.tasks), purposes };
  };
  return {
    id: facts.id,
    tasks: labels.filter((label) => label !== NONE).map(taskOf),
    classify(description) {
      const words = wordsOf(description).slice(0, MAX_WORDS);
      const prepared = words.map(network.prepare);
      const judgement = judgeParts(words, prepared, { judge, noneAt: labels.indexOf(NONE) });
      return {
        byTask: classificationOf(labels, judgement),
        byPurpose: readingOf(facts.purposes, judgement.shares.purposes),
      };
    },
  };
}

function taskOf(label: string): { task: string; taskType: TaskType } {
  return label === "code"
    ? { task: "text-generation", taskType: "code" }
    : { task: label, taskType: taskTypeOf(label) };
}

function classificationOf(labels: readonly string[], { shares, parts }: Judgement): Classification {
  const tasks: TaskGuess[] = [];
  let none = 0;
  for (const [k, label] of labels.entries()) {
    if (label === NONE) {
      none = shares.tasks[k]!;
      continue;
    }
    const guess: TaskGuess = { ...taskOf(label), confidence: shares.tasks[k]! };
    if (parts?.[0] === k) {
      guess.part = 1;
    }
    if (parts?.[1] === k) {
      guess.part = 2;
    }
    tasks.push(guess);
  }
  tasks.sort((a, b) => b.confidence - a.confidence);
  return { tasks, none };
}

function readingOf(labels: readonly string[], shares: Float32Array): PurposeReading {
  const purposes: PurposeGuess[] = [];
  let none = 0;
  for (let k = 0; k < labels.length; k++) {
    const label = labels[k]!;
    if (label === NONE) {
      none = shares[k]!;
    } else {
      purposes.push({ purpose: label, confidence: shares[k]! });
    }
  }
  return { purposes, none };
}

/** If a description has two needs, mixes the confidences of both parts with those of the whole. */
function judgeParts(
  words: readonly string[],
  prepared: readonly PreparedWord[],
  { judge, noneAt }: { judge: (words: readonly PreparedWord[]) => Shares; noneAt: number },
): Judgement {
  const whole = judge(prepared);
  let best: Judgement = { shares: whole };
  let bestSure = 0;
  const announced = announcesTwo(words);
  for (const { at, until, clear } of clausesOf(words)) {
    const first = prepared.slice(0, at);
    const second = prepared.slice(until);
    if (!hasContent(first) || !hasContent(second)) {
      continue;
    }
    const isClear = clear || announced || refersBack(words, until);
    // Both parts must be at least as certain as this, so the second need not be judged where the first is not.
    const isSure = (share: number) => share >= (isClear ? CLEAR_DIVISION : VAGUE_DIVISION) && share > bestSure;
    const before = judge(first);
    const one = largestOf(before.tasks);
    if (one === noneAt || !isSure(before.tasks[one]!)) {
      continue;
    }
    const after = judge(second);
    const other = largestOf(after.tasks);
    if (one === other || other === noneAt || !isSure(after.tasks[other]!)) {
      continue;
    }
    bestSure = Math.min(before.tasks[one]!, after.tasks[other]!);
    const mix = (kind: keyof Shares) =>
      before[kind].map(
        (share, k) => CLAUSE_SHARE * 0.5 * (share + after[kind][k]!) + (1 - CLAUSE_SHARE) * whole[kind][k]!,
      );
    best = { shares: { tasks: mix("tasks"), purposes: mix("purposes") }, parts: [one, other] };
  }
  return best;
}

/** A confidence for each label. */
interface Shares {
  tasks: Float32Array;
  purposes: Float32Array;
}

/** The confidences of a description. */
interface Judgement {
  shares: Shares;
  /** The indexes of the tasks of two needs. */
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

/** A description with more words tells a story; "and" and "then" in it do not divide it into two needs. */
const MAX_DIVIDED_WORDS = 100;
/** The most divisions of a description. More "and"s than this form a list, not needs. */
const MAX_DIVISIONS = 4;

/** Finds the places where the words may split into two needs, in order. */
function clausesOf(words: readonly string[]): Division[] {
  const found: Division[] = [];
  if (words.length > MAX_DIVIDED_WORDS) {
    return found;
  }
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

/** The words after "and" among which "it" or "them" means the result of the first need: "transcribe it and sum it up". */
const BACK_REACH = 4;

/** Whether what follows a division speaks of the result of the first part, so that it is a second need. */
function refersBack(words: readonly string[], from: number): boolean {
  return words.slice(from, from + BACK_REACH).some((word) => word === "it" || word === "them");
}

/** Whether the words announce two needs: "two things: …", "two models", "both … and …". */
function announcesTwo(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      (word === "two" && /^(?:things|jobs|tasks|models|steps|parts|needs|problems)$/.test(words[at + 1] ?? "")) ||
      (word === "both" && words.indexOf("and", at) > at),
  );
}
