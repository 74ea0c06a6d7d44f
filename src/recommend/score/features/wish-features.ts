import type { AppliedCard } from "../../../catalogue/index.ts";
import { type Model, smallestSizeGb } from "../../../inventory/index.ts";
import type { WishVerdict } from "../../candidate.ts";
import type { Profile } from "../../profile.ts";
import type { SizeWish } from "../../understand/wishes/wish.ts";
import { directionsOf, hasOnSide } from "../card-of.ts";
import type { ModelFacts } from "../model-facts.ts";

/** The features of wishes and languages, in the order of the ranking model. */
export const wishFeatureNames = [
  "met",
  "unknown",
  "broken",
  "brokenHardware",
  "brokenLicense",
  "brokenLanguage",
  "brokenSize",
  "sizeShare",
  "languageGrade",
  "english",
  "otherLanguage",
  "translates",
] as const;

/** How many wishes a model meets and breaks, and which languages it knows; in the order of `wishFeatureNames`. */
export function wishFeaturesOf(
  model: Model,
  facts: ModelFacts,
  profile: Profile,
  verdicts: readonly WishVerdict[],
): number[] {
  const values = new Array<number>(wishFeatureNames.length);
  writeWishFeatures(values, 0, model, facts, profile, verdicts);
  return values;
}

/** Writes these features from a place on. */
export function writeWishFeatures(
  features: Float32Array | number[],
  start: number,
  model: Model,
  facts: ModelFacts,
  profile: Profile,
  verdicts: readonly WishVerdict[],
): void {
  let met = 0;
  let unknown = 0;
  let broken = 0;
  let brokenHardware = 0;
  let brokenLicense = 0;
  let brokenLanguage = 0;
  let brokenSize = 0;
  let sizeShare = NO_SIZE;
  let languageGrade = -1;
  for (let i = 0; i < verdicts.length; i++) {
    const { wish, outcome } = verdicts[i] as WishVerdict;
    if (outcome === "meets") {
      met += 1;
    } else if (outcome === "unknown") {
      unknown += 1;
    } else if (outcome === "breaks") {
      broken += 1;
      if (wish.kind === "hardware" || wish.kind === "speed") {
        brokenHardware = 1;
      } else if (wish.kind === "license") {
        brokenLicense = 1;
      } else if (wish.kind === "language") {
        brokenLanguage = 1;
      } else if (wish.kind === "size") {
        brokenSize = 1;
      }
    }
    if (wish.kind === "size") {
      sizeShare = Math.max(sizeShare, sizeShareOf(model, wish));
    }
    if (wish.kind === "language") {
      const grade = languageGradeOf(model, facts.card, wish.code);
      languageGrade = languageGrade === -1 ? grade : Math.min(languageGrade, grade);
    }
  }
  features[start] = met;
  features[start + 1] = unknown;
  features[start + 2] = broken;
  features[start + 3] = brokenHardware;
  features[start + 4] = brokenLicense;
  features[start + 5] = brokenLanguage;
  features[start + 6] = brokenSize;
  features[start + 7] = sizeShare;
  features[start + 8] = languageGrade;
  features[start + 9] = facts.english;
  features[start + 10] = otherLanguageOf(facts, profile);
  features[start + 11] = translatesOf(model, verdicts);
}

/** The share if no size is asked for, or none is known. */
const NO_SIZE = -9;

/** The binary logarithm of a model's size for each unit of the size that a wish states, -8 to 8. */
function sizeShareOf(model: Model, { maxSizeGb, maxParameters, aboutParameters }: SizeWish): number {
  const asked = maxSizeGb ?? maxParameters ?? aboutParameters;
  const size = maxSizeGb === undefined ? model.parameters : downloadGb(model);
  return asked === undefined || size === undefined || asked <= 0 || size <= 0
    ? NO_SIZE
    : Math.max(-8, Math.min(8, Math.log2(size / asked)));
}

/** The size of its smallest form; calculated for 16 bits for each weight if no size is known. */
function downloadGb(model: Model): number | undefined {
  return smallestSizeGb(model) ?? (model.parameters === undefined ? undefined : (model.parameters * 2) / 1e9);
}

/** How well it knows a language: 0 not, 1 usable, 2 well or listed by its source, 3 strong; -1 when nothing is known. */
function languageGradeOf(model: Model, card: AppliedCard | undefined, code: string): number {
  const graded = card?.languages;
  const named = graded?.[code];
  if (named !== undefined) {
    return named;
  }
  if (code === "mul") {
    return Object.keys(graded ?? {}).length >= 5 || model.languages.length >= 12 ? 2 : 0;
  }
  if (model.languages.includes(code)) {
    return graded === undefined ? 2 : 1.5;
  }
  if (graded?.mul !== undefined) {
    return graded.mul - 0.5;
  }
  return graded === undefined && model.languages.length === 0 ? -1 : 0;
}

/** 1 for a model whose first language is neither English nor wanted, of few that it knows; else 0. */
function otherLanguageOf({ fewLanguages }: ModelFacts, { wishes }: Profile): number {
  if (fewLanguages === undefined) {
    return 0;
  }
  return Number(!wishes.some((wish) => wish.kind === "language" && fewLanguages.includes(wish.code)));
}

/** Whether a model made for some directions translates the wanted way: 1 or 0; -1 where no direction is in question. */
function translatesOf(model: Model, verdicts: readonly WishVerdict[]): number {
  let translates = -1;
  // A loop without closures: it runs for every candidate.
  for (let i = 0; i < verdicts.length; i++) {
    const { wish } = verdicts[i] as WishVerdict;
    if (wish.kind !== "language" || wish.side === undefined) {
      continue;
    }
    const directions = directionsOf(model);
    if (directions.length === 0) {
      return -1;
    }
    if (!hasOnSide(directions, wish.side, wish.code)) {
      return 0;
    }
    translates = 1;
  }
  return translates;
}
