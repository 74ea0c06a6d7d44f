import { openAsrLanguages } from "../boards/speech-models.ts";
import { numberOf, readCsv } from "./csv.ts";
import { BoardFormError, type BoardLine, type PlacedBoard, type PlaceOptions, placeModels } from "./place-models.ts";

/** Reads `en_shortform.csv` of the Open ASR leaderboard. @throws BoardFormError */
export function readOpenAsrShort(text: string, options: PlaceOptions): PlacedBoard[] {
  const rows = readCsv(text, ["model", "Avg. WER", "RTFx"]);
  return [
    placeModels(
      "open-asr-en-shortform",
      linesOf(rows, "model", (row) => numberOf(row["Avg. WER"], "Avg. WER")),
      options,
    ),
    placeModels("open-asr-en-shortform-speed", linesOf(rows, "model", speedOf), options),
  ];
}

/** Reads `en_longform.csv`. @throws BoardFormError */
export function readOpenAsrLong(text: string, options: PlaceOptions): PlacedBoard[] {
  const rows = readCsv(text, ["model_id", "Average", "RTFx"]);
  return [
    placeModels(
      "open-asr-en-longform",
      linesOf(rows, "model_id", (row) => numberOf(row.Average, "Average")),
      options,
    ),
    placeModels("open-asr-en-longform-speed", linesOf(rows, "model_id", speedOf), options),
  ];
}

/** Reads `multilingual.csv`: the mean of all, and that of each language's data sets. @throws BoardFormError */
export function readOpenAsrMultilingual(text: string, options: PlaceOptions): PlacedBoard[] {
  const rows = readCsv(text, ["model", "Avg", "RTFx"]);
  const columns = Object.keys(rows[0] as object);
  return [
    placeModels(
      "open-asr-multilingual",
      linesOf(rows, "model", (row) => numberOf(row.Avg, "Avg")),
      options,
    ),
    ...Object.keys(openAsrLanguages).map((code) => {
      const ofLanguage = columns.filter((column) => column.startsWith(`${code}_`));
      if (ofLanguage.length === 0) {
        throw new BoardFormError(`has no columns ${code}_…`);
      }
      const mean = (row: Row) => {
        const values = ofLanguage.map((column) => numberOf(row[column], column));
        const known = values.filter((value) => value !== undefined);
        return known.length < values.length ? undefined : sum(known) / known.length;
      };
      return placeModels(`open-asr-${code}`, linesOf(rows, "model", mean), options);
    }),
  ];
}

type Row = Partial<Record<string, string>>;

/** The lines with a value. Services without weights have the speed -1, and names that look like those of models. */
function linesOf(rows: readonly Row[], nameColumn: string, figureOf: (row: Row) => number | undefined): BoardLine[] {
  return rows.flatMap((row) => {
    const [system, value] = [row[nameColumn]?.trim(), figureOf(row)];
    if (system === undefined || system === "" || value === undefined) {
      return [];
    }
    const isService = row.License === "Proprietary" || numberOf(row.RTFx, "RTFx") === -1;
    const isId = /^[^/\s]+\/[^/\s]+$/.test(system);
    return [{ system, value: round(value), ...(isId && !isService && { model: system }) }];
  });
}

function speedOf(row: Row): number | undefined {
  const speed = numberOf(row.RTFx, "RTFx");
  return speed === -1 ? undefined : speed;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Means are computed in floating point; two decimals are what the board shows. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
