import { readdirSync, readFileSync } from "node:fs";
import type { AppliedCard, Card } from "./card.ts";
import { choiceOf } from "./choice.ts";
import { cardOfLine, cardOfTuned, kinFinder } from "./kin.ts";
import { impliedPurposes, type PurposeGrade } from "./purpose.ts";

/** What a source says about a model for which the catalogue has no card. */
export interface Kinship {
  /** The model that it repackages. */
  weightsOf?: string;
  /** The model that it was trained from. */
  base?: string;
}

/** The cards of models, by `owner/model` in lower case. */
export interface Catalogue {
  readonly size: number;
  names(): Iterable<string>;
  /** Whether it has a card for a model itself. */
  has(key: string): boolean;
  /** The card of a model; if it has none, the card of the model it repackages, of its base or of its line. */
  cardOf(key: string, kinship?: Kinship): AppliedCard | undefined;
  /** The card of a model or of the model whose weights it has; never one that is derived from its line or its base. */
  statedOf(key: string, weightsOf?: string): AppliedCard | undefined;
  /**
   * The licence that the card of a model itself states. A card states one only if the source states none or a wrong one.
   * undefined for `other`, which is a licence without an id, and for a card that has the licence of another model.
   */
  licenseOf(key: string): string | undefined;
  /** The card that a model would get from other models if it had none of its own. */
  inheritedBy(key: string, kinship?: Kinship): AppliedCard | undefined;
  /** The models that serve a purpose, by their cards or by what the cards imply; the best choices first. */
  modelsFor(purpose: string): readonly string[];
  /** The highest sum of grade and standing for a purpose; undefined where no model serves it. */
  bestFor(purpose: string): number | undefined;
}

/** A grade as a number: `train`, for a model that must first be trained, is 0.5. */
export function gradeValue(grade: PurposeGrade): number {
  return grade === "train" ? 0.5 : grade;
}

/** A card's grade for a purpose as a number; 0 without a card or a grade. */
export function gradeOf(card: Pick<Card, "purposes"> | undefined, purpose: string): number {
  const grade = card?.purposes[purpose];
  return grade === undefined ? 0 : gradeValue(grade);
}

/** What an implied grade is worth: less than the same grade on the card. */
const impliedValues = { train: 0.4, 1: 0.8, 2: 1.5, 3: 2 } as const;

/**
 * A card's grade for a purpose as a number. The card lists the purpose, or other purposes of the card imply it; else
 * the grade is 0.
 */
export function servingOf(card: Pick<Card, "purposes"> | undefined, purpose: string): number {
  if (card === undefined) {
    return 0;
  }
  const grade = card.purposes[purpose];
  if (grade !== undefined) {
    return gradeValue(grade);
  }
  const implied = impliedBy(card)[purpose];
  return implied === undefined ? 0 : impliedValues[implied];
}

/** The place of a model that nobody compared with the others of a purpose: between a good choice and a possible one. */
const NOT_COMPARED = 1.5;
/**
 * How much lower a copy in another format is placed, so that the many copies of a few first choices do not hide the
 * other models.
 */
const COPY_LOSS = 1.25;

/** A model serves a purpose, without further training, if `servingOf` is at least this. */
export const SERVES = 1.5;

/** The purposes that a card implies, computed once for each card. */
export function impliedBy({ purposes }: Pick<Card, "purposes">): Readonly<Record<string, PurposeGrade>> {
  // Callers ask for one card and many purposes.
  if (last?.purposes === purposes) {
    return last.found;
  }
  let found = implied.get(purposes);
  if (found === undefined) {
    const own = impliedPurposes(purposes);
    const text = JSON.stringify(own);
    found = shared.get(text) ?? own;
    shared.set(text, found);
    implied.set(purposes, found);
  }
  last = { purposes, found };
  return found;
}

/** The card of the last call, and what it implies. */
let last: { purposes: Card["purposes"]; found: Readonly<Record<string, PurposeGrade>> } | undefined;

const implied = new WeakMap<object, Readonly<Record<string, PurposeGrade>>>();

/** What cards imply, by its JSON. Thousands of cards imply some 550 sets of purposes, and share their memory: 3 MB. */
const shared = new Map<string, Readonly<Record<string, PurposeGrade>>>();

let loaded: Catalogue | undefined;

/** Reads the catalogue, once in a process. It takes some tens of milliseconds. */
export function loadCatalogue(): Catalogue {
  if (loaded === undefined) {
    const folder = new URL("cards/", import.meta.url);
    const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    loaded = createCatalogue(
      files.sort().flatMap((file) =>
        readFileSync(new URL(file, folder), "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as Card),
      ),
    );
  }
  return loaded;
}

/** Makes a catalogue of cards. */
export function createCatalogue(cards: readonly Card[]): Catalogue {
  const own = new Map(cards.map((card) => [card.name.toLowerCase(), card]));
  const applied = new Map<string, AppliedCard>();
  for (const [key, card] of own) {
    const base = card.weights_of === undefined ? undefined : own.get(card.weights_of.toLowerCase());
    applied.set(key, base === undefined || base === card ? card : completed(card, base));
  }
  const served = new Map<string, AppliedCard[]>();
  for (const card of applied.values()) {
    for (const purpose of Object.keys({ ...card.purposes, ...impliedBy(card) })) {
      if (servingOf(card, purpose) >= SERVES) {
        const serving = served.get(purpose) ?? [];
        serving.push(card);
        served.set(purpose, serving);
      }
    }
  }
  const models = new Map<string, readonly string[]>();
  const best = new Map<string, number>();
  for (const [purpose, serving] of served) {
    const worth = (card: Card) => servingOf(card, purpose) + card.standing;
    const choice = (card: AppliedCard) =>
      (choiceOf(card, purpose) ?? NOT_COMPARED) - (card.weights_of === undefined ? 0 : COPY_LOSS);
    serving.sort((a, b) => choice(b) - choice(a) || worth(b) - worth(a) || (a.name < b.name ? -1 : 1));
    models.set(
      purpose,
      serving.map(({ name }) => name.toLowerCase()),
    );
    best.set(purpose, Math.max(...serving.map(worth)));
  }
  let findKin: ReturnType<typeof kinFinder> | undefined;
  const inheritedBy: Catalogue["inheritedBy"] = (key, { weightsOf, base: trainedFrom } = {}) => {
    const same = weightsOf === undefined ? undefined : applied.get(weightsOf.toLowerCase());
    if (same !== undefined) {
      return { ...same, name: key, inherited_from: same.name, inherited_as: "weights" };
    }
    findKin ??= kinFinder(applied.values());
    const kin = findKin(key);
    if (kin !== undefined) {
      return cardOfLine(kin, key);
    }
    const base = trainedFrom === undefined ? undefined : applied.get(trainedFrom.toLowerCase());
    return base === undefined ? undefined : cardOfTuned(base, key);
  };
  return {
    size: own.size,
    names: () => applied.keys(),
    has: (key) => applied.has(key),
    cardOf: (key, kinship) => applied.get(key) ?? inheritedBy(key, kinship),
    statedOf: (key, weightsOf) =>
      applied.get(key) ?? (weightsOf === undefined ? undefined : applied.get(weightsOf.toLowerCase())),
    licenseOf: (key) => {
      const license = own.get(key)?.license;
      return license === "other" ? undefined : license;
    },
    inheritedBy,
    modelsFor: (purpose) => models.get(purpose) ?? [],
    bestFor: (purpose) => best.get(purpose),
  };
}

/** Completes the card of a repackaging with that of the model whose weights it has. */
function completed(card: Card, base: Card): AppliedCard {
  return {
    ...base,
    ...card,
    purposes: Object.keys(card.purposes).length > 0 ? card.purposes : base.purposes,
    ...(card.needs === undefined && { inherited_from: base.name, inherited_as: "weights" as const }),
  };
}
