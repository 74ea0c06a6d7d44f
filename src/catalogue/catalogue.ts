import { readdirSync, readFileSync } from "node:fs";
import type { Card, PurposeGrade } from "./card.ts";

/** The card that applies to a model: its own, or that of the model that it repackages. */
export interface AppliedCard extends Card {
  /** The model that the card was written for, if it is another one. */
  inherited_from?: string;
}

/** The cards of models, by `owner/model` in lower case. */
export interface Catalogue {
  readonly size: number;
  names(): Iterable<string>;
  /** @param baseModel the model that it repackages, whose card applies if it has none of its own */
  cardOf(key: string, baseModel?: string): AppliedCard | undefined;
  /** Models whose grade for a purpose is at least 2, best standing first. */
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

let loaded: Catalogue | undefined;

/** Reads the catalogue once a process; some tens of milliseconds. */
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
    for (const [purpose, grade] of Object.entries(card.purposes)) {
      if (gradeValue(grade) >= SERVES) {
        served.set(purpose, [...(served.get(purpose) ?? []), card]);
      }
    }
  }
  const models = new Map<string, readonly string[]>();
  const best = new Map<string, number>();
  for (const [purpose, serving] of served) {
    const worth = (card: Card) => gradeValue(card.purposes[purpose] as PurposeGrade) + card.standing;
    serving.sort((a, b) => worth(b) - worth(a) || (a.name < b.name ? -1 : 1));
    models.set(
      purpose,
      serving.map(({ name }) => name.toLowerCase()),
    );
    best.set(purpose, worth(serving[0] as Card));
  }
  return {
    size: own.size,
    names: () => applied.keys(),
    cardOf(key, baseModel) {
      const card = applied.get(key);
      if (card !== undefined || baseModel === undefined) {
        return card;
      }
      const base = applied.get(baseModel.toLowerCase());
      return base === undefined ? undefined : { ...base, name: key, inherited_from: base.name };
    },
    modelsFor: (purpose) => models.get(purpose) ?? [],
    bestFor: (purpose) => best.get(purpose),
  };
}

/** The least grade of a model that serves a purpose without training. */
const SERVES = 2;

/** Completes the card of a repackaging with that of the model whose weights it has. */
function completed(card: Card, base: Card): AppliedCard {
  return {
    ...base,
    ...card,
    purposes: Object.keys(card.purposes).length > 0 ? card.purposes : base.purposes,
    ...(card.needs === undefined && { inherited_from: base.name }),
  };
}
