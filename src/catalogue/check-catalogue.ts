import { readdirSync, readFileSync } from "node:fs";
import { type Card, cardProblems, type KnownWords } from "./card.ts";
import { choiceProblems } from "./choice.ts";

/** A problem of an entry. */
export interface EntryProblem {
  /** The file and the number of the line, such as `chat.jsonl:12`. */
  at: string;
  /** The name of the model, where the entry has one. */
  name?: string;
  problem: string;
}

/** Lines of a file of cards, one entry a line. */
export interface CardFile {
  name: string;
  text: string;
}

/** The folder of the entries that come with the program. */
export const cardsFolder = new URL("cards/", import.meta.url);

/** The files of entries in a folder. */
export function filesOf(folder: URL): CardFile[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));
}

/** The files of the catalogue that comes with the program. */
export function shippedFiles(): CardFile[] {
  return filesOf(cardsFolder);
}

/**
 * Checks each entry alone, and the entries against each other: no model has two entries, `superseded_by` names an entry
 * of the files or of `others` that shares a purpose with the entry and has at least its standing, and so does `weights_of` of a repackaging without needs.
 *
 * @param others names of further entries, in lower case
 * @param choices the text of choices.jsonl, which is checked against the entries of the files
 */
export function checkCatalogue(
  files: readonly CardFile[],
  known: KnownWords,
  { others = [], choices }: { others?: Iterable<string>; choices?: string } = {},
): { entries: number; problems: EntryProblem[] } {
  const problems: EntryProblem[] = [];
  const cards: Array<{ at: string; card: Card }> = [];
  let entries = 0;
  for (const { name: file, text } of files) {
    for (const [i, line] of text.split("\n").entries()) {
      if (line.trim() === "") {
        continue;
      }
      entries++;
      const at = `${file}:${i + 1}`;
      const found = cardProblems(line, known);
      const card = nameable(line);
      problems.push(...found.map((problem) => ({ at, ...(card && { name: card.name }), problem })));
      if (card !== undefined) {
        cards.push({ at, card });
      }
    }
  }
  const names = new Map<string, string>();
  for (const { at, card } of cards) {
    const key = card.name.toLowerCase();
    const first = names.get(key);
    if (first !== undefined) {
      problems.push({ at, name: card.name, problem: `it already has an entry at ${first}` });
    }
    names.set(key, first ?? at);
  }
  const all = new Set([...names.keys(), ...others]);
  const cardsByName = new Map(cards.map(({ card }) => [card.name.toLowerCase(), card]));
  for (const { at, card } of cards) {
    if (card.superseded_by !== undefined && !all.has(card.superseded_by.toLowerCase())) {
      problems.push({
        at,
        name: card.name,
        problem: `superseded_by: ${card.superseded_by} is not in the catalogue`,
      });
    }
    const successor = cardsByName.get(card.superseded_by?.toLowerCase() ?? "");
    if (successor !== undefined) {
      const found = successorProblems(card, successor);
      problems.push(...found.map((problem) => ({ at, name: card.name, problem: `superseded_by: ${problem}` })));
    }
    if (card.weights_of !== undefined && card.needs === undefined && !all.has(card.weights_of.toLowerCase())) {
      problems.push({
        at,
        name: card.name,
        problem: `needs: ${card.weights_of} is not in the catalogue, so name needs of its own`,
      });
    }
  }
  if (choices !== undefined) {
    const found = choiceProblems(choices, cardsByName);
    problems.push(...found.map(({ line, problem }) => ({ at: `choices.jsonl:${line}`, problem })));
  }
  return { entries, problems };
}

/** Why a model does not replace another one. */
function successorProblems(card: Card, successor: Card): string[] {
  const sharesPurpose = Object.keys(card.purposes ?? {}).some((id) => successor.purposes?.[id] !== undefined);
  return [
    ...(sharesPurpose ? [] : [`${successor.name} shares no purpose with it`]),
    ...(successor.standing < card.standing ? [`${successor.name} has a lower standing`] : []),
  ];
}

/** The entry of a line, if it has a name. */
function nameable(line: string): Card | undefined {
  try {
    const card = JSON.parse(line) as Card;
    return typeof card?.name === "string" ? card : undefined;
  } catch {
    return undefined;
  }
}
