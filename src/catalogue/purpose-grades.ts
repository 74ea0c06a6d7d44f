import type { AppliedCard } from "./card.ts";
import { impliedBy, servingOf } from "./catalogue.ts";
import { type Choice, choiceOf, choicesOf, circumstances, placesOf } from "./choice.ts";
import { purposes } from "./purpose.ts";

/**
 * What a card says of its purposes, for comparisons with many needs. Each number is a purpose, from the highest bit: the
 * place under each circumstance, the last one first (4 times 4 bits; 0 if it is not named there), the purpose's place
 * among all purposes (9 bits), the choice plus 1 (3 bits; 0 without a choice), whether the card itself lists it (1 bit),
 * and the place of its grade in `gradeValues` (3 bits).
 */
export type PurposeGrades = Uint32Array;

/** The values that `servingOf` can have. */
const gradeValues: readonly number[] = [0, 0.4, 0.5, 0.8, 1, 1.5, 2, 3];
const MOST_PURPOSES = 512;

/** What the catalogue does not say: no grade and no choice, not listed. */
const NOTHING = 0;

const none: PurposeGrades = new Uint32Array(0);

/** The purposes that a card lists or implies, or for which it was compared; empty without a card. */
export function purposeGradesOf(card: AppliedCard | undefined): PurposeGrades {
  if (card === undefined) {
    return none;
  }
  const ids = new Set([...Object.keys(card.purposes), ...Object.keys(impliedBy(card)), ...choicesOf(card)]);
  return Uint32Array.from(
    [...ids].flatMap((id) => {
      const place = placeOfPurpose(id);
      const grade = gradeValues.indexOf(servingOf(card, id));
      const isListed = Number(card.purposes[id] !== undefined);
      const found = (place << 7) | (((choiceOf(card, id) ?? -1) + 1) << 4) | (isListed << 3) | grade;
      const named = placesOf(card, id);
      return place < 0
        ? []
        : [circumstances.reduce((bits, name, at) => bits | ((named[name] ?? 0) << (16 + 4 * at)), found)];
    }),
  );
}

let places: ReadonlyMap<string, number> | undefined;

/** The place of a purpose among all purposes; -1 for an unknown one. */
export function placeOfPurpose(id: string): number {
  if (places === undefined) {
    places = new Map([...purposes().keys()].map((known, place) => [known, place]));
    if (places.size > MOST_PURPOSES) {
      throw new Error(`there are more than ${MOST_PURPOSES} purposes`);
    }
  }
  return places.get(id) ?? -1;
}

/** What is said of the purpose of a place, for the functions below. */
export function gradeAt(grades: PurposeGrades, place: number): number {
  for (let i = 0; i < grades.length; i++) {
    if (purposeIn(grades[i] as number) === place) {
      return grades[i] as number;
    }
  }
  return NOTHING;
}

/** The place of the purpose that an entry of the grades is about, among all purposes. */
export function purposeIn(grade: number): number {
  return (grade >>> 7) & (MOST_PURPOSES - 1);
}

/** As `servingOf`. */
export function servingIn(grade: number): number {
  return gradeValues[grade & 7] as number;
}

/** As `choiceOf`. */
export function choiceIn(grade: number): Choice | undefined {
  const choice = (grade >> 4) & 7;
  return choice === 0 ? undefined : ((choice - 1) as Choice);
}

/** The place among the models that are named for the purpose under a circumstance, from 1; 0 if it is not named there. */
export function placeIn(grade: number, circumstance: number): number {
  return (grade >>> (16 + 4 * circumstance)) & 15;
}

/** Whether the card itself lists the purpose. */
export function isListedIn(grade: number): boolean {
  return (grade & 8) !== 0;
}
