import {
  type AppliedCard,
  loadCatalogue,
  purposes as purposesOfCatalogue,
  servingOf,
} from "../../../catalogue/index.ts";
import type { Profile } from "../../profile.ts";

/** The features of what the catalogue says that a model is for, in the order of the ranking model. */
export const purposeFeatureNames = [
  "madeFor",
  "does",
  "partly",
  "trains",
  "implied",
  "topGrade",
  "secondGrade",
  "bestShare",
  "group",
  "besideBest",
] as const;

/** How well the catalogue says that a model serves the wanted purposes; in the order of `purposeFeatureNames`. */
export function purposeFeaturesOf(card: AppliedCard | undefined, { purposes }: Profile): number[] {
  const catalogue = loadCatalogue();
  const groups = purposesOfCatalogue();
  const mainGroup = card === undefined ? undefined : groups.get(Object.keys(card.purposes)[0] ?? "")?.group;
  let [madeFor, does, partly, trains, implied, bestShare, group, besideBest] = [0, 0, 0, 0, 0, 0, 0, 0];
  const grades: number[] = [];
  for (const { purpose, confidence } of purposes) {
    const grade = servingOf(card, purpose);
    grades.push(grade);
    madeFor += grade === 3 ? confidence : 0;
    does += grade >= 2 ? confidence : 0;
    partly += grade === 1 || grade >= 2 ? confidence : 0;
    trains += grade > 0 && grade <= 0.5 ? confidence : 0;
    implied += card !== undefined && card.purposes[purpose] === undefined ? grade * confidence : 0;
    group += mainGroup !== undefined && groups.get(purpose)?.group === mainGroup ? confidence : 0;
    if (grade >= 2) {
      bestShare = Math.max(bestShare, confidence / (purposes[0]?.confidence ?? 1));
    }
    const best = catalogue.bestFor(purpose) ?? 0;
    besideBest += confidence * ((grade > 0 ? grade + (card?.standing ?? 0) : 0) - best);
  }
  const [topGrade = -1, secondGrade = -1] = grades;
  return [madeFor, does, partly, trains, implied, topGrade, secondGrade, bestShare, group, besideBest];
}
