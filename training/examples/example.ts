import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A text and its class: a hub task label, `code` for text generation of programs, or `none` for no task. */
export interface TrainingExample {
  text: string;
  label: string;
  /** Its weight in the loss; a need has 1. */
  weight: number;
  /** Its source: `need`, `extra`, `definition`, `model`, `background` or `phrase`. */
  origin: string;
}

/** Labels of which a text means one, though it may not be known which. */
export type OneOf = readonly string[];

/** A text, and what is known of its tasks and of its purposes. */
export interface NeedExample {
  text: string;
  /** What it means together; absent if nothing is known. */
  tasks?: readonly OneOf[];
  purposes?: readonly OneOf[];
  weight: number;
  origin: string;
}

/** Weights in the loss: of a need with a sentence around it, and of two needs joined. */
const WRAPPED_WEIGHT = 0.6;
const JOINED_WEIGHT = 0.6;
/** Needs for each joined example. */
const JOINED_EVERY = 5;
/** Needs longer than this are not joined, in characters. */
const JOINED_MAX_CHARS = 120;

const joints = [" and then ", ", then ", " and ", " and also ", ". Then ", ", and ", " as well as ", ". Also ", "; "];

const openings = [
  "I need a model to ",
  "I want to ",
  "We want to ",
  "Find me a model that can ",
  "Recommend a model: ",
  "Looking for something to ",
  "Is there an AI that can ",
  "Which model can ",
  "Help me ",
  "We need ",
  "I am looking for ",
];

/** Reads the sentences that name no task. */
function readContexts(): string[] {
  const lines = readFileSync(join(import.meta.dirname, "contexts.txt"), "utf8").split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
}

/** The sentences before and after a need that make it a long one: at least one and up to these many. */
const LONG_BEFORE = 3;
const LONG_AFTER = 2;

/**
 * Adds examples: each need again with an opening or with sentences around it that name no task, once more as a long one
 * with several such sentences, and pairs of needs joined by "and then" and similar words, which mean both.
 */
export function augmented(examples: readonly NeedExample[], next: () => number): NeedExample[] {
  const around = readContexts();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const some = (most: number) => Array.from({ length: 1 + Math.floor(next() * most) }, () => pick(around)).join(" ");
  const real = examples.filter(({ origin }) => origin === "need" || origin === "extra");
  const found = [...examples];
  for (const example of real) {
    const { text } = example;
    const way = next();
    let wrapped = text;
    if (way < 0.45) {
      wrapped = `${pick(around)} ${text}`;
    } else if (way < 0.7) {
      wrapped = `${text} ${pick(around)}`;
    } else if (way < 0.85) {
      wrapped = `${pick(around)} ${pick(openings)}${text} ${pick(around)}`;
    } else {
      wrapped = pick(openings) + text;
    }
    found.push({ ...example, text: wrapped, weight: WRAPPED_WEIGHT });
  }
  for (const example of real) {
    const text = `${some(LONG_BEFORE)} ${example.text} ${some(LONG_AFTER)}`;
    found.push({ ...example, text, weight: WRAPPED_WEIGHT });
  }
  const short = real.filter(({ text }) => text.length <= JOINED_MAX_CHARS);
  for (let count = Math.floor(real.length / JOINED_EVERY); count > 0; count--) {
    const first = pick(short);
    const second = pick(short);
    const joint = pick(joints);
    if (JSON.stringify([first.tasks, first.purposes]) === JSON.stringify([second.tasks, second.purposes])) {
      continue;
    }
    found.push({
      text: first.text.replace(/[.?!]+$/, "") + joint + second.text,
      ...(first.tasks && second.tasks && { tasks: [...first.tasks, ...second.tasks] }),
      ...(first.purposes && second.purposes && { purposes: [...first.purposes, ...second.purposes] }),
      weight: JOINED_WEIGHT,
      origin: "joined",
    });
  }
  return found;
}

/** The line that starts the needs of a label. */
const SECTION = /^\[([a-z0-9-]+)\]$/;

/** Reads the needs of a folder: in each file, sections that start with `[LABEL]` and have a need on each line. */
function readSections(folder: string, origin: string): TrainingExample[] {
  const found: TrainingExample[] = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".txt"))) {
    let label: string | undefined;
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      const text = line.trim();
      const section = SECTION.exec(text)?.[1];
      if (section !== undefined) {
        label = section;
      } else if (text !== "" && !text.startsWith("#")) {
        if (label === undefined) {
          throw new Error(
            `${file}: the need "${text}" is above the first section; write its label, as [LABEL], before it`,
          );
        }
        found.push({ text, label, weight: 1, origin });
      }
    }
  }
  // The order of the examples decides what the training draws. By label it does not depend on the division into files.
  const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
  return found.sort((one, other) => order(one.label, other.label));
}

/**
 * Reads the needs of training/needs, and then those of extra/, which has the same form. A need that a label has twice
 * is read once.
 */
export function readNeeds(): TrainingExample[] {
  const folder = join(import.meta.dirname, "../needs");
  const seen = new Set<string>();
  return [...readSections(folder, "need"), ...readSections(join(folder, "extra"), "extra")].filter(
    ({ label, text }) => {
      const key = `${label} ${text}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    },
  );
}
