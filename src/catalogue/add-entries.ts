import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Card, KnownWords } from "./card.ts";
import { checkCatalogue, type EntryProblem, filesOf } from "./check-catalogue.ts";
import { purposes } from "./purpose.ts";

/** An entry and where it was written, such as `chat.jsonl:12`. */
export interface AddedEntry {
  name: string;
  at: string;
}

/**
 * Adds entries to the files of a folder, each to the end of the file for the area of its first purpose. If an entry has
 * a problem, alone or together with the existing entries, no entry is added. Each file is replaced in one step, so that
 * a killed run leaves only complete files. The next run reports the entries that the killed run added as existing ones.
 *
 * @param source the name and the text of the new entries, one JSON object a line
 */
export function addEntries(
  source: { name: string; text: string },
  folder: URL,
  known: KnownWords,
): { added: AddedEntry[] } | { problems: EntryProblem[] } {
  const present = filesOf(folder);
  const { problems } = checkCatalogue([...present, source], known);
  const own = problems.filter(({ at }) => at.startsWith(`${source.name}:`));
  if (own.length > 0) {
    return { problems: own };
  }
  const byFile = new Map<string, Card[]>();
  for (const line of source.text.split("\n").filter((each) => each.trim() !== "")) {
    const card = JSON.parse(line) as Card;
    const file = fileOf(card);
    byFile.set(file, [...(byFile.get(file) ?? []), card]);
  }
  const added: AddedEntry[] = [];
  for (const [file, cards] of byFile) {
    const path = new URL(file, folder);
    const before = existsSync(path) ? readFileSync(path, "utf8").trimEnd() : "";
    const lines = before === "" ? [] : before.split("\n");
    added.push(...cards.map(({ name }, at) => ({ name, at: `${file}:${lines.length + at + 1}` })));
    lines.push(...cards.map((card) => JSON.stringify(card)));
    const temporary = new URL(`${file}.new`, folder);
    writeFileSync(temporary, `${lines.join("\n")}\n`);
    renameSync(temporary, path);
  }
  return { added };
}

/** The file of an entry: the area of its first purpose. Both sciences are small and share a file. */
export function fileOf({ purposes: graded }: Pick<Card, "purposes">): string {
  const [first = ""] = Object.keys(graded);
  const { group = "" } = purposes().get(first) ?? {};
  return `${group.includes("science") ? "science" : group}.jsonl`;
}
