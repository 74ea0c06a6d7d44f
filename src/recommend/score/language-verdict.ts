import { SERVES, servingOf } from "../../catalogue/index.ts";
import { languageName, type Model, type RareLanguage, rareLanguages } from "../../inventory/index.ts";
import type { Verdict } from "../candidate.ts";
import type { Wish } from "../understand/wishes/wish.ts";
import { cardOf, directionsOf, hasOnSide, type TranslationDirection } from "./card-of.ts";

/** A model of fewer languages is not multilingual. */
const MULTILINGUAL = 4;

/** Judges a model by a wish for a language. */
export function languageVerdict({ code, side }: Extract<Wish, { kind: "language" }>, model: Model): Verdict {
  const rare = rareLanguages().get(code);
  if (rare !== undefined) {
    return rareLanguageVerdict(code, rare, model);
  }
  const directions = side === undefined ? [] : directionsOf(model);
  if (side !== undefined && directions.length > 0 && !hasOnSide(directions, side, code)) {
    const sentence = `It translates only from ${directions.map(inWords).join(", or from ")}.`;
    return { outcome: "breaks", isCertain: true, sentence };
  }
  const graded = model.languages.length === 0 ? cardOf(model)?.languages : undefined;
  if (graded !== undefined) {
    return gradedLanguageVerdict(code, graded);
  }
  if (code === "mul") {
    if (model.languages.length === 0) {
      return { outcome: "unknown" };
    }
    const count = model.languages.length;
    if (count >= MULTILINGUAL) {
      return { outcome: "meets", sentence: `It handles ${count} languages.` };
    }
    const names = new Intl.ListFormat("en").format(model.languages.map(languageName));
    return {
      outcome: "breaks",
      sentence: count === 1 ? `${names} is its only listed language.` : `It handles only ${count} languages: ${names}.`,
    };
  }
  const name = languageName(code);
  if (model.languages.length === 0) {
    return { outcome: "unknown", sentence: `It is unknown whether it handles ${name}.` };
  }
  return model.languages.includes(code)
    ? { outcome: "meets", sentence: `It handles ${name}.` }
    : { outcome: "breaks", sentence: `${name} is not among its listed languages.` };
}

function inWords({ from, to }: TranslationDirection): string {
  const name = (code: string) => (code === "*" ? "its other languages" : languageName(code));
  return `${name(from)} to ${name(to)}`;
}

/** Purposes of models that are made for hundreds of languages, or for one with little data. */
const RARE_PURPOSES = ["asr-low-resource", "translation-low-resource"] as const;

/**
 * Judges a model by a language without a two-letter code. Sources list such languages seldom, so a model that is made
 * for hundreds of languages may handle it, and nothing says that another one does.
 */
function rareLanguageVerdict(code: string, { name, isLiving }: RareLanguage, model: Model): Verdict {
  const card = cardOf(model);
  const grade = card?.languages?.[code];
  if (typeof grade === "number" && grade >= 2) {
    return { outcome: "meets", sentence: `It handles ${name}, as the catalogue judges.` };
  }
  const isMade = isLiving && RARE_PURPOSES.some((purpose) => card !== undefined && servingOf(card, purpose) >= SERVES);
  return isMade
    ? { outcome: "unknown", sentence: `It handles many rare languages; whether ${name} is one of them is unknown.` }
    : { outcome: "breaks", sentence: `No source says that it handles ${name}.` };
}

/** Judges a model whose sources list no languages, by the languages that the catalogue lists. */
function gradedLanguageVerdict(code: string, graded: Readonly<Record<string, number>>): Verdict {
  if (code === "mul") {
    const count = Object.keys(graded).length;
    return graded.mul !== undefined || count >= MULTILINGUAL
      ? { outcome: "meets" }
      : {
          outcome: "breaks",
          sentence: `The catalogue lists ${count === 1 ? "one language" : `only ${count} languages`} for it.`,
        };
  }
  const grade = graded[code] ?? graded.mul;
  const name = languageName(code);
  if (grade === undefined) {
    return { outcome: "breaks", sentence: `${name} is not among the languages that the catalogue lists for it.` };
  }
  return grade >= 2
    ? { outcome: "meets", sentence: `It handles ${name}, as the catalogue judges.` }
    : { outcome: "unknown", sentence: `It may handle ${name} poorly, as the catalogue judges.` };
}
