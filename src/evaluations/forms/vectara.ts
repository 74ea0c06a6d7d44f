import { numberOf } from "./csv.ts";
import { BoardFormError, type BoardLine, type PlacedBoard, type PlaceOptions, placeModels } from "./place-models.ts";

/**
 * Reads the table of the README of Vectara's hallucination leaderboard, and the day that it names.
 *
 * @throws BoardFormError
 */
export function readVectara(text: string, options: PlaceOptions): PlacedBoard {
  const header = /^\|\s*Model\s*\|\s*Hallucination Rate\s*\|.*$/m.exec(text);
  if (header === null) {
    throw new BoardFormError("has no table that begins with the columns Model and Hallucination Rate");
  }
  const lines: BoardLine[] = [];
  const rows = text.slice(header.index).split(/\r?\n/).slice(2);
  for (const row of rows) {
    if (!row.startsWith("|")) {
      break;
    }
    const [, system = "", rate] = row.split("|").map((cell) => cell.trim());
    const value = numberOf(rate, "Hallucination Rate");
    if (value !== undefined && system !== "") {
      lines.push({ system, value, ...(/^[^/\s]+\/[^/\s]+$/.test(system) && { model: system }) });
    }
  }
  if (lines.length === 0) {
    throw new BoardFormError("has no rows in its table");
  }
  const day = /Last updated on ([A-Z][a-z]+ \d{1,2}, \d{4})/.exec(text)?.[1];
  const time = day === undefined ? Number.NaN : Date.parse(`${day} UTC`);
  const asOf = Number.isNaN(time) ? options.asOf : new Date(time).toISOString().slice(0, 10);
  return placeModels("vectara-hhem", lines, { ...options, asOf });
}
