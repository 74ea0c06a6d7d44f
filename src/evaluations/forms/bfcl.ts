import { numberOf, readCsv } from "./csv.ts";
import { type PlacedBoard, type PlaceOptions, placeModels } from "./place-models.ts";

/** Reads `data_overall.csv` of the Berkeley Function Calling Leaderboard. @throws BoardFormError */
export function readBfcl(text: string, options: PlaceOptions): PlacedBoard {
  const lines = readCsv(text, ["Model", "Model Link", "Overall Acc"]).flatMap((row) => {
    const value = numberOf(row["Overall Acc"], "Overall Acc");
    // Behind the name: whether functions are called by the model's own format, or by a prompt.
    const bracket = row.Model.lastIndexOf("(");
    const hasWay = bracket > 0 && /^\((?:FC|Prompt)[^)]*\)$/.test(row.Model.slice(bracket).trim());
    const system = (hasWay ? row.Model.slice(0, bracket) : row.Model).trim();
    const model = /^https:\/\/huggingface\.co\/([^/\s?#]+\/[^/\s?#]+)\/?$/.exec(row["Model Link"].trim())?.[1];
    return value === undefined || system === "" ? [] : [{ system, value, ...(model !== undefined && { model }) }];
  });
  return placeModels("bfcl-v4", lines, options);
}
