import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Card } from "../../src/catalogue/card.ts";
import { purposes } from "../../src/catalogue/purpose.ts";
import type { NeedExample } from "./example.ts";
import { background, described, needs, labels as taskLabels } from "./training-set.ts";

/** A card's need counts less: it means one of the model's purposes, and it is not known which. */
const CARD_WEIGHT = 0.5;
/** The most purposes of a card that its needs may mean. */
const MOST_OF_CARD = 3;
/** The weight of a purpose's own name. */
const NAME_WEIGHT = 0.5;
/**
 * The weight of a phrase that people use around a purpose. Phrases teach no tasks, as they are also said around others.
 * With more weight, words that ask for no model are read as purposes: no phrase stands for texts that ask for none.
 */
const PHRASE_WEIGHT = 0.15;
/** The label of a text that asks for no model. */
export const NONE = "none";

/** A text with the ids of purposes that it means, or `none`. */
export interface LabelledText {
  ids: string[];
  text: string;
  /** How much it counts; a need has 1. */
  weight: number;
}

/** The labels of the classifier. */
export interface Labels {
  tasks: readonly string[];
  purposes: readonly string[];
}

/** The labels of the classifier: hub tasks, `code` and `none`, and the catalogue's purposes and `none`. */
export function classifierLabels(): Labels {
  return { tasks: taskLabels, purposes: [...[...purposes().keys()].sort(), NONE] };
}

/**
 * Reads the examples of the classifier: needs and texts with a task (training/needs, descriptions, general English), and
 * needs with a purpose (training/purposes, the needs of the catalogue's cards, and the names of the purposes). A need
 * with a purpose means one of the tasks of the models that can serve it; which one, other examples show.
 */
export function readNeedExamples(): NeedExample[] {
  const withTask = [...needs, ...described, ...background].map(
    ({ text, label, weight, origin }): NeedExample => ({
      text,
      tasks: [[label]],
      ...(label === NONE && { purposes: [[NONE]] }),
      weight,
      origin,
    }),
  );
  return [...withTask, ...readPurposeExamples()];
}

function readPurposeExamples(): NeedExample[] {
  const known = purposes();
  const found: NeedExample[] = [];
  for (const { ids, text } of readLabelled("purposes")) {
    const meant = { tasks: ids.map(tasksOf), purposes: ids.map((id) => [id]) };
    found.push({ text, ...meant, weight: 1, origin: "need" });
  }
  for (const { ids, text } of readLabelled("phrases")) {
    found.push({ text, purposes: ids.map((id) => [id]), weight: PHRASE_WEIGHT, origin: "phrase" });
  }
  for (const card of readCards()) {
    const graded = Object.entries(card.purposes).filter(([id]) => known.has(id));
    const made = graded.filter(([, grade]) => grade === 3);
    const meant = (made.length > 0 ? made : graded.filter(([, grade]) => grade === 2)).slice(0, MOST_OF_CARD);
    if (meant.length === 0) {
      continue;
    }
    const ids = meant.map(([id]) => id);
    const tasks = [...new Set(ids.flatMap(tasksOf))];
    for (const text of card.needs ?? []) {
      found.push({ text, tasks: [tasks], purposes: [ids], weight: CARD_WEIGHT, origin: "need" });
    }
  }
  for (const { id, name } of known.values()) {
    found.push({ text: name, tasks: [tasksOf(id)], purposes: [[id]], weight: NAME_WEIGHT, origin: "definition" });
  }
  return found;
}

/**
 * The lines of the files of a folder of training/, `id<TAB>text` or `id+id<TAB>text`, whose ids are known purposes or
 * `none`.
 *
 * @param files their names. Default: all files of the folder.
 */
export function readLabelled(name: string, ...files: string[]): Omit<LabelledText, "weight">[] {
  const folder = join(import.meta.dirname, "..", name);
  const lines = (files.length > 0 ? files : readdirSync(folder).sort()).flatMap((file) =>
    readFileSync(join(folder, file), "utf8").split("\n"),
  );
  return lines.flatMap((line) => {
    const [label = "", rest = ""] = line.split("\t");
    const ids = label.split("+");
    const text = rest.trim();
    return text !== "" && ids.every((id) => id === NONE || purposes().has(id)) ? [{ ids, text }] : [];
  });
}

/** The tasks that a need with a purpose may mean. */
function tasksOf(id: string): string[] {
  const purpose = purposes().get(id);
  if (purpose === undefined) {
    return [NONE];
  }
  const named = purpose.tasks.flatMap((task) =>
    task === "text-generation" && purpose.group === "code" ? ["code", task] : [task],
  );
  const known = named.filter((task) => taskLabels.includes(task));
  return known.length > 0 ? known : ["other"];
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
