import { type AppliedCard, type PurposeGrades, purposeGradesOf, purposes } from "../../catalogue/index.ts";
import { type Model, searchableText } from "../../inventory/index.ts";
import { cardOf } from "./card-of.ts";
import { type TextWords, textWords } from "./lexical-match.ts";
import { type ShortName, shortNameOf } from "./names-model.ts";
import { languageSignal, type Merits, meritsOf } from "./quality-signals.ts";

/** What comparisons with needs read of a model, and what depends on the model alone. */
export interface ModelFacts {
  /** What the catalogue knows of it; undefined when nothing. */
  card: AppliedCard | undefined;
  /** What the card says of its purposes. */
  grades: PurposeGrades;
  /** The group of the card's first purpose; undefined without a card or a purpose. */
  mainGroup: string | undefined;
  /** The words of its search text. */
  words: TextWords;
  merits: Merits;
  shortName: ShortName;
  /** The key of the model that it was made from, if any. */
  baseKey: string | undefined;
  /** The key of the model whose weights it has in another form, if it is a copy. */
  copyOf: string | undefined;
  /** The signal of its languages for a need that names none. */
  unaskedLanguage: number;
}

/** The inventory caches model objects, so the facts of each are read once. */
const known = new WeakMap<Model, ModelFacts>();

/** The facts of a model. Reading them for the first time takes some tenths of a millisecond. */
export function factsOf(model: Model): ModelFacts {
  let facts = known.get(model);
  if (facts === undefined) {
    const card = cardOf(model);
    facts = {
      card,
      grades: purposeGradesOf(card),
      mainGroup: mainGroupOf(card),
      words: textWords(searchableText(model)),
      merits: meritsOf(model),
      shortName: shortNameOf(model.name),
      baseKey: model.baseModel?.toLowerCase(),
      copyOf: (card?.weights_of ?? (model.repackaging ? model.baseModel : undefined))?.toLowerCase(),
      unaskedLanguage: languageSignal(model, false),
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
