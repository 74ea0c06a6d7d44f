import { type AppliedCard, loadCatalogue } from "../../catalogue/index.ts";
import { ByteVectors, loadStaticEncoder } from "../../embedding/index.ts";
import { type Model, translatedLanguages } from "../../inventory/index.ts";

/**
 * What the catalogue knows of a model; undefined when nothing. A copy in another format has the card of its base. A
 * model without a card has what holds for its line or, in part, for the model that it was trained from.
 */
export function cardOf(model: Model): AppliedCard | undefined {
  // Several parts of a comparison ask for the card of one model.
  if (last?.model !== model) {
    if (!cards.has(model)) {
      const { baseModel } = model;
      cards.set(
        model,
        loadCatalogue().cardOf(model.key, model.repackaging ? { weightsOf: baseModel } : { base: baseModel }),
      );
    }
    last = { model, card: cards.get(model) };
  }
  return last.card;
}

/** The model of the last call, with its card. */
let last: { model: Model; card: AppliedCard | undefined } | undefined;

/** A copy of the model object with another card, or with none. Training uses it to hide cards. */
export function withCard(model: Model, card: AppliedCard | undefined): Model {
  const copy = { ...model };
  cards.set(copy, card);
  return copy;
}

/** The inventory caches model objects, so a card is looked up once. */
const cards = new WeakMap<Model, AppliedCard | undefined>();

const graphicsCard = /\bneeds? an? (?:\w+ )?(?:gpu|graphics card)\b(?! (?:for|to)\b)|\bgpu needed\b/i;

/** Whether a model is of little use without a graphics card, by the weaknesses in its card. */
export function asksForGraphicsCard(model: Model): boolean {
  return cardOf(model)?.weaknesses?.some((weakness) => graphicsCard.test(weakness)) === true;
}

/** A direction in which a model translates; `*` stands for any of its languages. */
export interface TranslationDirection {
  from: string;
  to: string;
}

/** The only directions in which a model translates, by its card or its name; empty if nothing limits the directions. */
export function directionsOf(model: Model): readonly TranslationDirection[] {
  const listed = cardOf(model)?.translates;
  if (listed === undefined) {
    const named = translatedLanguages(model.name);
    return named === undefined ? [] : [named];
  }
  return listed.map((pair) => {
    const [from = "", to = ""] = pair.split("-");
    return { from, to };
  });
}

/** Whether a model that translates only in some directions has a language on a side. */
export function hasOnSide(directions: readonly TranslationDirection[], side: "from" | "to", code: string): boolean {
  return directions.some((direction) => direction[side] === code || direction[side] === "*");
}

/** The vectors of a card's needs, encoded when the card is first compared with a need. */
const vectors = new WeakMap<readonly string[], ByteVectors>();

/** The vectors of the needs that a card lists, by the bundled encoder; undefined if it lists none. */
export function needVectorsOf(card: AppliedCard | undefined): ByteVectors | undefined {
  const needs = card?.needs;
  if (needs === undefined) {
    return undefined;
  }
  let found = vectors.get(needs);
  if (found === undefined) {
    const { encodeOne } = loadStaticEncoder();
    found = new ByteVectors(needs.map(encodeOne));
    vectors.set(needs, found);
  }
  return found;
}
