import { type AppliedCard, type PurposeGrades, purposeGradesOf, purposes } from "../../catalogue/index.ts";
import type { ByteVectors } from "../../embedding/index.ts";
import { type Model, searchableText } from "../../inventory/index.ts";
import { cardOf, needVectorsOf } from "./card-of.ts";
import { modelFeaturesOf } from "./features/model-features.ts";
import { type TextWords, textWords } from "./lexical-match.ts";
import { type ShortName, shortNameOf } from "./names-model.ts";
import { type ModelQuality, modelQualityOf, unaskedLanguageOf } from "./quality-signals.ts";

/** What comparisons with needs read of a model, and what depends on the model alone. */
export interface ModelFacts {
  key: string;
  /** What the catalogue knows of it; undefined when nothing. */
  card: AppliedCard | undefined;
  /** Whether it has a card of its own, or that of the same weights. */
  isListed: boolean;
  /** What the card says of its purposes. */
  grades: PurposeGrades;
  /** The group of the card's first purpose; undefined without a card or a purpose. */
  mainGroup: string | undefined;
  /** The words of its search text. */
  words: TextWords;
  quality: ModelQuality;
  shortName: ShortName;
  /** The key of the model that it was made from, if any. */
  baseKey: string | undefined;
  /** The key of the model whose weights it has in another form, if it is a copy. */
  copyOf: string | undefined;
  /** The signal of its languages for a need that names none. */
  unaskedLanguage: number;
  /** How well it knows English: 0 not, 1 usable, 2 well or listed by its source, 3 strong; -1 when unknown. */
  english: number;
  /** Its languages if it is made for few of them, the first of which is not English; else undefined. */
  fewLanguages: readonly string[] | undefined;
  /** The features that depend on it alone, in the order of `modelFeatureNames`. */
  features: Float32Array;
  /** The vectors of the needs that the card says it answers best; undefined without such needs. */
  needVectors: ByteVectors | undefined;
}

/** The inventory caches model objects, so the facts of each are read once. */
const known = new WeakMap<Model, ModelFacts>();

/** The facts of a model. Reading them for the first time takes some tenths of a millisecond. */
export function factsOf(model: Model): ModelFacts {
  let facts = known.get(model);
  if (facts === undefined) {
    const card = cardOf(model);
    const copyOf = (card?.weights_of ?? (model.repackaging ? model.baseModel : undefined))?.toLowerCase();
    facts = {
      key: model.key,
      card,
      isListed: card !== undefined && (card.inherited_as === undefined || card.inherited_as === "weights"),
      grades: purposeGradesOf(card),
      mainGroup: mainGroupOf(card),
      words: textWords(searchableText(model)),
      quality: modelQualityOf(model),
      shortName: shortNameOf(model.name),
      baseKey: model.baseModel?.toLowerCase(),
      copyOf,
      unaskedLanguage: unaskedLanguageOf(model),
      english: englishOf(model, card),
      fewLanguages: fewLanguagesOf(model, card),
      features: modelFeaturesOf(model),
      needVectors: needVectorsOf(card),
    };
    known.set(model, facts);
  }
  return facts;
}

function mainGroupOf(card: AppliedCard | undefined): string | undefined {
  for (const purpose in card?.purposes) {
    return purposes().get(purpose)?.group;
  }
  return undefined;
}

function englishOf(model: Model, card: AppliedCard | undefined): number {
  if (card?.languages !== undefined) {
    return card.languages.en ?? card.languages.mul ?? 0;
  }
  return model.languages.length === 0 ? -1 : model.languages.includes("en") ? 2 : 0;
}

/** The most languages of a model that is made for one of them. */
const FEW_LANGUAGES = 3;

function fewLanguagesOf(model: Model, card: AppliedCard | undefined): readonly string[] | undefined {
  const languages = card?.languages === undefined ? model.languages : Object.keys(card.languages);
  const first = languages[0];
  return first !== undefined && first !== "en" && first !== "mul" && languages.length <= FEW_LANGUAGES
    ? languages
    : undefined;
}
