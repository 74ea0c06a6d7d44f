import { readFileSync } from "node:fs";
import { z } from "zod";
import type { AppliedCard, Card } from "./card.ts";
import { purposes } from "./purpose.ts";

/**
 * How good an answer a model is if a need names a purpose and little else, compared with the other models of the
 * catalogue for this purpose: 3, among the first choices; 2, good; 1, possible, though others are clearly better; 0,
 * poor. An editorial judgement, as the cards are.
 */
export type Choice = 3 | 2 | 1 | 0;

/** The names of the choices in choices.jsonl. */
const choiceNames = { first: 3, good: 2, possible: 1, poor: 0 } as const;

type ChoiceName = keyof typeof choiceNames;

/**
 * Circumstances under which the models of a purpose were compared once more: on a small device (phone, browser, old
 * computer), on a laptop or desktop with 8 to 16 GB, for many items or answers at once, and where quality alone decides.
 */
export const circumstances = ["small", "consumer", "fast", "best"] as const;

export type Circumstance = (typeof circumstances)[number];

/** The end of a sentence such as "It is among the best for this …". */
export const circumstancesInWords: Readonly<Record<Circumstance, string>> = {
  small: "if it must be small",
  consumer: "on a laptop or desktop",
  fast: "where many items or a short wait decide",
  best: "where quality alone decides",
};

/** The most models that the list of a circumstance names. */
export const MOST_RANKED = 8;

/** The place of a model among those that are named for a circumstance, 1 to `MOST_RANKED`. */
type Places = Partial<Record<Circumstance, number>>;

const names = z.array(z.string()).min(1).optional();
const ranked = z.array(z.string()).min(1).max(MOST_RANKED).optional();

/** A line of choices.jsonl: the models of a purpose that were compared, best first. */
const comparison = z.strictObject({
  purpose: z.string(),
  first: names,
  good: names,
  possible: names,
  poor: names,
  small: ranked,
  consumer: ranked,
  fast: ranked,
  best: ranked,
});

/** What the comparison of a purpose says of a model. */
interface Compared {
  choice?: Choice;
  places: Places;
}

/** What models are compared for, by `owner/model` in lower case and purpose. */
type Choices = ReadonlyMap<string, ReadonlyMap<string, Compared>>;

let loaded: Choices | undefined;

/** Reads the choices once a process. */
function loadChoices(): Choices {
  if (loaded === undefined) {
    const choices = new Map<string, Map<string, Compared>>();
    const comparedFor = (model: string, purpose: string): Compared => {
      const key = model.toLowerCase();
      const known = choices.get(key) ?? new Map<string, Compared>();
      choices.set(key, known);
      const compared = known.get(purpose) ?? { places: {} };
      known.set(purpose, compared);
      return compared;
    };
    for (const line of shippedChoices().trimEnd().split("\n")) {
      const { purpose, ...lists } = JSON.parse(line) as z.infer<typeof comparison>;
      for (const name of Object.keys(choiceNames) as ChoiceName[]) {
        for (const model of lists[name] ?? []) {
          comparedFor(model, purpose).choice = choiceNames[name];
        }
      }
      for (const circumstance of circumstances) {
        for (const [at, model] of (lists[circumstance] ?? []).entries()) {
          comparedFor(model, purpose).places[circumstance] = at + 1;
        }
      }
    }
    loaded = choices;
  }
  return loaded;
}

/** The text of the file that comes with the program. */
export function shippedChoices(): string {
  return readFileSync(new URL("choices.jsonl", import.meta.url), "utf8");
}

/**
 * The choice that a model is for a purpose. A copy in another format has the choice of its original, if its own card
 * has the grade 2 or 3 for the purpose.
 */
export function choiceOf(card: AppliedCard | undefined, purpose: string): Choice | undefined {
  return comparedFor(card, purpose)?.choice;
}

/**
 * The places of a model among those that were named for a purpose under each circumstance. A copy in another format has
 * those of its original, as with `choiceOf`.
 */
export function placesOf(card: AppliedCard | undefined, purpose: string): Places {
  return comparedFor(card, purpose)?.places ?? {};
}

function comparedFor(card: AppliedCard | undefined, purpose: string): Compared | undefined {
  if (card === undefined || card.inherited_as === "line" || card.inherited_as === "base") {
    return undefined;
  }
  // Callers ask for one card and many purposes.
  if (last?.card !== card) {
    const choices = loadChoices();
    last = { card, own: choices.get(card.name.toLowerCase()), original: choices.get(originalOf(card)) };
  }
  const own = last.own?.get(purpose);
  const grade = card.purposes[purpose];
  return own ?? (grade === 2 || grade === 3 ? last.original?.get(purpose) : undefined);
}

/** The card of the last call, with the choices of the model and of its original. */
let last:
  | { card: AppliedCard; own?: ReadonlyMap<string, Compared>; original?: ReadonlyMap<string, Compared> }
  | undefined;

/** The purposes for which a model was compared with others. */
export function choicesOf({ name }: AppliedCard): Iterable<string> {
  return loadChoices().get(name.toLowerCase())?.keys() ?? [];
}

function originalOf({ weights_of, inherited_from }: AppliedCard): string {
  return (weights_of ?? inherited_from ?? "").toLowerCase();
}

let wellServed: ReadonlySet<string> | undefined;

/** Whether the catalogue has a good choice for a purpose. */
export function hasGoodChoice(purpose: string): boolean {
  wellServed ??= new Set(
    [...loadChoices().values()].flatMap((choices) =>
      [...choices].flatMap(([served, { choice = 0 }]) => (choice >= choiceNames.good ? [served] : [])),
    ),
  );
  return wellServed.has(purpose);
}

/**
 * The problems of the lines of choices: an unknown purpose, a purpose with two lines, a model without a card, a model
 * whose card does not have the grade 2 or 3 for the purpose, a model with two choices for one purpose, and a model that is
 * twice in the list of a circumstance.
 *
 * @param cards by `owner/model` in lower case
 * @returns each problem with the number of its line
 */
export function choiceProblems(
  text: string,
  cards: ReadonlyMap<string, Pick<Card, "purposes">>,
): { line: number; problem: string }[] {
  const seen = new Set<string>();
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line, at) => lineProblems(line, cards, seen).map((problem) => ({ line: at + 1, problem })));
}

function lineProblems(line: string, cards: ReadonlyMap<string, Pick<Card, "purposes">>, seen: Set<string>): string[] {
  const read = comparison.safeParse(parsed(line));
  if (!read.success) {
    return read.error.issues.map(({ path, message }) =>
      path.length === 0 ? message : `${path.join(".")}: ${message}`,
    );
  }
  const { purpose, small, consumer, fast, best, ...choices } = read.data;
  const problems: string[] = [];
  if (!purposes().has(purpose)) {
    problems.push(`there is no purpose ${purpose}`);
  } else if (seen.has(purpose)) {
    problems.push(`the purpose ${purpose} has a line already`);
  }
  seen.add(purpose);
  for (const models of [Object.values(choices).flat(), small, consumer, fast, best]) {
    problems.push(...listProblems(models ?? [], purpose, cards));
  }
  return problems;
}

function listProblems(
  models: readonly string[],
  purpose: string,
  cards: ReadonlyMap<string, Pick<Card, "purposes">>,
): string[] {
  const keys = models.map((name) => name.toLowerCase());
  const problems: string[] = [];
  for (const [at, name] of models.entries()) {
    const grade = cards.get(name.toLowerCase())?.purposes[purpose];
    if (keys.indexOf(name.toLowerCase()) !== at) {
      problems.push(`${purpose}: ${name} has two places`);
    } else if (!cards.has(name.toLowerCase())) {
      problems.push(`${purpose}: the catalogue has no entry for ${name}`);
    } else if (grade !== 2 && grade !== 3) {
      problems.push(`${purpose}: the entry of ${name} does not have the grade 2 or 3 for this purpose`);
    }
  }
  return problems;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
