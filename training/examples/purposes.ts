import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Card } from "../../src/catalogue/card.ts";
import { purposes } from "../../src/catalogue/purpose.ts";
import type { TrainingExample } from "./example.ts";
import { readNeeds } from "./example.ts";

/** A card's need counts less: it means one of the model's purposes, and it is not known which. */
const CARD_WEIGHT = 0.5;
/** The most purposes of a card that its needs may mean. */
const MOST_OF_CARD = 3;
/** The weight of a purpose's own name. */
const NAME_WEIGHT = 0.5;

/** The labels of the purpose classifier. */
export function purposeLabels(): string[] {
  return [...[...purposes().keys()].sort(), "none"];
}

/**
 * Reads the examples of purposes: training/purposes (lines of `id<TAB>need`; several ids are joined by `+`), the needs
 * of the catalogue's cards, the names of the purposes, and the needs that ask for no model.
 */
export function readPurposeExamples(): TrainingExample[] {
  const known = purposes();
  const found: TrainingExample[] = [];
  const folder = join(import.meta.dirname, "../purposes");
  for (const file of readdirSync(folder).sort()) {
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      const [label = "", text = ""] = line.split("\t");
      if (text.trim() !== "" && label.split("+").every((id) => id === "none" || known.has(id))) {
        found.push({ text: text.trim(), label, weight: 1, origin: "need" });
      }
    }
  }
  for (const card of readCards()) {
    const graded = Object.entries(card.purposes).filter(([id]) => known.has(id));
    const made = graded.filter(([, grade]) => grade === 3);
    const meant = (made.length > 0 ? made : graded.filter(([, grade]) => grade === 2)).slice(0, MOST_OF_CARD);
    if (meant.length === 0) {
      continue;
    }
    const label = meant.map(([id]) => id).join("+");
    for (const text of card.needs ?? []) {
      found.push({ text, label, weight: CARD_WEIGHT, origin: "need" });
    }
  }
  for (const { id, name } of known.values()) {
    found.push({ text: name, label: id, weight: NAME_WEIGHT, origin: "definition" });
  }
  return [...found, ...readNeeds().filter(({ label }) => label === "none")];
}

/** The cards of the catalogue. */
function readCards(): Card[] {
  const folder = join(import.meta.dirname, "../../src/catalogue/cards");
  return readdirSync(folder)
    .sort()
    .flatMap((file) =>
      readFileSync(join(folder, file), "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Card),
    );
}
