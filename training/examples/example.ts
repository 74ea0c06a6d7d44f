import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * A text and its class: a hub task label, `code` for text generation of programs, a purpose, or `none` for no task. A
 * text of several classes has them joined by `+`.
 */
export interface TrainingExample {
  text: string;
  label: string;
  /** Its weight in the loss; a need has 1. */
  weight: number;
  /** Its source: `need`, `extra`, `definition`, `model` or `background`. */
  origin: string;
}

/** An example with one label or two. */
export interface MixedExample {
  text: string;
  labels: string[];
  weight: number;
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
 * Adds examples: each need again with an opening or with sentences around it that name no task, and pairs of needs
 * joined by "and then" and similar words, labelled with both tasks. With `long`, each need once more as a long one, with
 * several such sentences around it.
 */
export function augmented(
  examples: readonly TrainingExample[],
  next: () => number,
  { long = false }: { long?: boolean } = {},
): MixedExample[] {
  const around = readContexts();
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const found: MixedExample[] = examples.map(({ text, label, weight }) => ({ text, labels: label.split("+"), weight }));
  const real = examples.filter(({ origin }) => origin === "need" || origin === "extra");
  for (const { text, label } of real) {
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
    found.push({ text: wrapped, labels: label.split("+"), weight: WRAPPED_WEIGHT });
  }
  if (long) {
    const some = (most: number) => Array.from({ length: 1 + Math.floor(next() * most) }, () => pick(around)).join(" ");
    for (const { text, label } of real) {
      const wrapped = `${some(LONG_BEFORE)} ${text} ${some(LONG_AFTER)}`;
      found.push({ text: wrapped, labels: label.split("+"), weight: WRAPPED_WEIGHT });
    }
  }
  const short = real.filter(({ text }) => text.length <= JOINED_MAX_CHARS);
  for (let count = Math.floor(real.length / JOINED_EVERY); count > 0; count--) {
    const first = pick(short);
    const second = pick(short);
    if (first.label === second.label) {
      continue;
    }
    found.push({
      text: first.text.replace(/[.?!]+$/, "") + pick(joints) + second.text,
      labels: [...first.label.split("+"), ...second.label.split("+")],
      weight: JOINED_WEIGHT,
    });
  }
  return found;
}

/**
 * Reads the needs of training/needs: a file for each label, a need on each line. extra/ has more in the same form. A
 * need that a label has twice is read once.
 */
export function readNeeds(): TrainingExample[] {
  const folder = join(import.meta.dirname, "../needs");
  const files = [folder, join(folder, "extra")].flatMap((place) =>
    readdirSync(place)
      .filter((name) => name.endsWith(".txt"))
      .sort()
      .map((name) => join(place, name)),
  );
  const seen = new Set<string>();
  const found: TrainingExample[] = [];
  for (const file of files) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const text = line.trim();
      if (text === "" || text.startsWith("#")) {
        continue;
      }
      const label = basename(file, ".txt");
      if (seen.has(`${label} ${text}`)) {
        continue;
      }
      seen.add(`${label} ${text}`);
      found.push({ text, label, weight: 1, origin: file.includes("/extra/") ? "extra" : "need" });
    }
  }
  return found;
}
