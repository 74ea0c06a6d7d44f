import { readFileSync } from "node:fs";

/**
 * How well a model serves a purpose: 3, it was made for it; 2, it does it well, though made for more or for something
 * near; 1, with reservations; `train`, after training on the user's own data.
 */
export type PurposeGrade = 1 | 2 | 3 | "train";

/** Something that people want a model for: finer than a task label. */
export interface Purpose {
  /** Such as `handwriting`. */
  id: string;
  /** In plain words, such as "read handwriting". */
  name: string;
  /** The area that it belongs to, such as `chat`. A card is in the file of the area of its first purpose. */
  group: string;
  /** The Hub's task labels of models that can serve it, the most likely first. */
  tasks: readonly string[];
  /** For a purpose whose models the user trains: the purpose for people who do not want to train. */
  ready?: string;
}

let loaded: ReadonlyMap<string, Purpose> | undefined;

/** All purposes by their ids. Reads them once a process. */
export function purposes(): ReadonlyMap<string, Purpose> {
  if (loaded === undefined) {
    const lines = readFileSync(new URL("purposes.jsonl", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
    loaded = new Map(lines.map((line) => JSON.parse(line) as Purpose).map((purpose) => [purpose.id, purpose]));
  }
  return loaded;
}

/** The purposes that a model also serves if its card lists another purpose. */
interface Implication {
  from: string;
  /** The grades of a model that was made for `from`. */
  implies: Readonly<Record<string, PurposeGrade>>;
}

let loadedImplications: ReadonlyMap<string, Implication["implies"]> | undefined;

/** Reads the implications once a process. */
function implications(): ReadonlyMap<string, Implication["implies"]> {
  if (loadedImplications === undefined) {
    const lines = readFileSync(new URL("implied-purposes.jsonl", import.meta.url), "utf8")
      .trimEnd()
      .split("\n");
    loadedImplications = new Map(
      lines.map((line) => JSON.parse(line) as Implication).map(({ from, implies }) => [from, implies]),
    );
  }
  return loadedImplications;
}

/**
 * The purposes that a card implies beyond those that it lists. A card names what a model is best at; a current chat
 * model also writes emails. If the card has only the grade 2 for the listed purpose, the implied grades are one lower.
 */
export function impliedPurposes(listed: Readonly<Record<string, PurposeGrade>>): Record<string, PurposeGrade> {
  const implied: Record<string, PurposeGrade> = {};
  for (const [from, own] of Object.entries(listed)) {
    if (own !== 3 && own !== 2) {
      continue;
    }
    for (const [id, grade] of Object.entries(implications().get(from) ?? {})) {
      const less = typeof grade === "number" && own === 2 ? (Math.max(1, grade - 1) as PurposeGrade) : grade;
      if (listed[id] === undefined && worth(less) > worth(implied[id])) {
        implied[id] = less;
      }
    }
  }
  return implied;
}

function worth(grade: PurposeGrade | undefined): number {
  return grade === undefined ? 0 : grade === "train" ? 0.5 : grade;
}
