import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadCatalogue } from "../../src/catalogue/index.ts";
import { type IndexedModel, type Inventory, searchableText } from "../../src/inventory/index.ts";
import { type Need, profileOf } from "../../src/recommend/index.ts";
import type { Profile } from "../../src/recommend/profile.ts";
import { withCard } from "../../src/recommend/score/card-of.ts";
import { featureNames } from "../../src/recommend/score/features/features.ts";
import { type AffinityModel, setAffinity } from "../../src/recommend/score/learned/affinity.ts";
import { matchModel } from "../../src/recommend/score/score.ts";
import { understand } from "../../src/recommend/understand/understand.ts";
import { shuffled } from "../numbers/random.ts";
import type { Table } from "./boosted-trees.ts";

/** A need with graded models; training/graded/README.md describes the fields. */
export interface GradedNeed {
  id: string;
  need: string;
  none: boolean;
  grader: number;
  grades: Readonly<Record<string, number>>;
  added?: Readonly<Record<string, number>>;
  second?: Readonly<Record<string, number>>;
}

/** Graded pairs as rows of features; the rows of a need follow each other. */
export interface RankingExamples {
  table: Table;
  grades: Uint8Array;
  /** Whether a grader saw the pair. The others were drawn at random and count as unsuitable. */
  seen: Uint8Array;
  /** Whether the pair is there a second time, with the card of the model hidden. */
  hidden: Uint8Array;
  /** The first row of each need, and the number of all rows at the end. */
  starts: number[];
}

/** Models drawn for each need that no grader saw: without them the order is right only among good candidates. */
const RANDOM_MODELS = 20;

/** The share of the graded models of a need that are examples once more, without their card. */
const HIDDEN_SHARE = 0.4;
/** Of those, the share that has the card of the line or base, where there is one. */
const KIN_SHARE = 0.5;
/**
 * The graders of the first needs, whose candidates are mostly unsuitable. Only these needs have examples without cards.
 * The candidates of the others are mostly good, so the trees would learn that a model without a card is good, however
 * little it matches.
 */
const LAST_HIDING_GRADER = 8;

/**
 * What each grade from 0 to 3 counts as: its gain as nDCG counts it, (2^grade - 1) / 7, and a little more for a 2.
 */
export const WORTHS = [0, 0.15, 0.45, 1] as const;

/** Reads the graded needs. */
export function readGradedNeeds(file = join(import.meta.dirname, "../graded/needs.jsonl")): GradedNeed[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as GradedNeed);
}

/** Every model of an inventory by its key. */
export async function allModels(inventory: Inventory): Promise<Map<string, IndexedModel>> {
  const rows: Array<{ key: string }> = await inventory.table.query().select(["key"]).toArray();
  const models = await inventory.load(rows.map(({ key }) => key).sort());
  return new Map(models.map((indexed) => [indexed.model.key, indexed]));
}

/** Graded needs as the product reads them, and what features are computed from besides the catalogue. */
export interface ReadNeeds {
  needs: readonly GradedNeed[];
  /** One for each need. */
  profiles: readonly Profile[];
  /** For each need the affinities that were learned without it. */
  affinities: readonly AffinityModel[];
}

/**
 * Makes the examples of needs, with the features that the product computes. A model whose card is hidden has no affinity.
 */
export async function makeExamples(
  inventory: Inventory,
  read: ReadNeeds,
  next: () => number,
): Promise<RankingExamples> {
  const { needs, profiles, affinities } = read;
  const models = await allModels(inventory);
  const all = [...models.values()];
  const rows: Float32Array[] = [];
  const grades: number[] = [];
  const seen: number[] = [];
  const hidden: number[] = [];
  const bare = await hideCards(inventory, models.values());
  const starts = [0];
  for (const [place, graded] of needs.entries()) {
    const hides = graded.grader <= LAST_HIDING_GRADER;
    const profile = profiles[place] as Profile;
    setAffinity(profile, affinities[place] as AffinityModel);
    const judged = gradesOf(graded);
    const add = (indexed: IndexedModel, grade: number, isSeen: boolean, isHidden = false) => {
      rows.push(matchModel(indexed, profile).features.slice());
      grades.push(grade);
      seen.push(Number(isSeen));
      hidden.push(Number(isHidden));
    };
    for (const [key, grade] of judged) {
      const indexed = models.get(key);
      if (indexed === undefined) {
        continue;
      }
      add(indexed, grade, true);
      if (next() < HIDDEN_SHARE && hides) {
        const { alone, kin } = bare.get(key) as HiddenModel;
        add(kin !== undefined && next() < KIN_SHARE ? kin : alone, grade, true, true);
      }
    }
    for (const at of shuffled(all.length, next).subarray(0, RANDOM_MODELS)) {
      const indexed = all[at] as IndexedModel;
      if (!judged.has(indexed.model.key)) {
        add(indexed, 0, false);
        if (next() < HIDDEN_SHARE / 2 && hides) {
          add((bare.get(indexed.model.key) as HiddenModel).alone, 0, false, true);
        }
      }
    }
    starts.push(rows.length);
  }
  return {
    table: tableOf(rows),
    grades: Uint8Array.from(grades),
    seen: Uint8Array.from(seen),
    hidden: Uint8Array.from(hidden),
    starts,
  };
}

/** Of the needs whose models without cards the trees do not learn from, every third one is used to fit the match. */
const FITTED_FROM = 3;
/** Models drawn for each of these needs. */
const DRAWN_WITHOUT_CARD = 100;

/**
 * Makes the examples from which the match of models without cards is fitted: the graded models of needs, and others that are drawn
 * and count as unsuitable, all without their cards, by turns with and without their descriptions.
 */
export async function makeUnlistedExamples(
  inventory: Inventory,
  { needs, profiles }: Pick<ReadNeeds, "needs" | "profiles">,
  next: () => number,
): Promise<RankingExamples> {
  const models = await allModels(inventory);
  const keys = [...models.keys()];
  const bare = await hideCards(inventory, models.values());
  const rows: Float32Array[] = [];
  const grades: number[] = [];
  const starts = [0];
  const chosen = [...needs.keys()].filter((at) => (needs[at] as GradedNeed).grader > LAST_HIDING_GRADER);
  for (const at of chosen.filter((_, k) => k % FITTED_FROM === 0)) {
    const judged = gradesOf(needs[at] as GradedNeed);
    const drawn = [...shuffled(keys.length, next).subarray(0, DRAWN_WITHOUT_CARD)].map((k) => keys[k] as string);
    for (const key of new Set([...judged.keys(), ...drawn])) {
      const hidden = bare.get(key);
      if (hidden !== undefined) {
        const indexed = rows.length % 2 === 0 ? hidden.alone : hidden.described;
        rows.push(matchModel(indexed, profiles[at] as Profile).features.slice());
        grades.push(judged.get(key) ?? 0);
      }
    }
    starts.push(rows.length);
  }
  const ones = new Uint8Array(rows.length).fill(1);
  return { table: tableOf(rows), grades: Uint8Array.from(grades), seen: ones, hidden: ones, starts };
}

function tableOf(rows: readonly Float32Array[]): Table {
  const columns = featureNames.length;
  const values = new Float32Array(rows.length * columns);
  for (const [at, row] of rows.entries()) {
    values.set(row, at * columns);
  }
  return { rows: rows.length, columns, values };
}

/** The grades of a need by the keys of the models. */
export function gradesOf({ none, grades, added = {}, second = {} }: GradedNeed): Map<string, number> {
  return new Map(
    Object.entries({ ...grades, ...added, ...second }).map(([name, grade]) => [name.toLowerCase(), none ? 0 : grade]),
  );
}

/** A model as it is to a program whose catalogue does not have it. */
interface HiddenModel {
  /** Without any card, and without the description that was written for the catalogue. */
  alone: IndexedModel;
  /** Without any card, but with this description, as its owner might have written one. */
  described: IndexedModel;
  /** With what it has from its line or base, where there is one. */
  kin?: IndexedModel;
}

/** Makes copies of models without their cards. */
async function hideCards(inventory: Inventory, models: Iterable<IndexedModel>): Promise<Map<string, HiddenModel>> {
  const hiddenModels = new Map<string, HiddenModel>();
  for (const { model } of models) {
    const plain = { ...model, description: undefined };
    const texts = [plain, model].map((each) => searchableText(each));
    const [vector = new Float32Array(), whole = new Float32Array()] = await inventory.encoder.encode(texts);
    const card = loadCatalogue().inheritedBy(model.key, { base: model.baseModel });
    hiddenModels.set(model.key, {
      alone: { model: withCard(plain, undefined), vector },
      described: { model: withCard({ ...model }, undefined), vector: whole },
      ...(card !== undefined && { kin: { model: withCard(plain, card), vector } }),
    });
  }
  return hiddenModels;
}

/** The same day for every run, so that features do not depend on when they are computed. */
const TODAY = Date.UTC(2026, 5, 20);

/** Reads needs as the product does. */
export async function profilesOf({ encoder }: Inventory, needs: readonly GradedNeed[]): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (const { need: description } of needs) {
    const need: Need = { description, filter: {}, topK: 5, ignore: [] };
    const [vector] = await encoder.encode([description]);
    profiles.push(profileOf(need, understand(description), vector as Float32Array, TODAY));
  }
  return profiles;
}
