import { numberOf, readCsv } from "./csv.ts";
import { type PlacedBoard, type PlaceOptions, placeModels } from "./place-models.ts";

/** The files of OpenCLIP's `docs/`, with the columns that name the weights and that hold the mean. */
const files = {
  "openclip-zero-shot": ["name", "pretrained", "Average perf. on 38 datasets"],
  "openclip-retrieval": ["name", "pretrained", "Average score"],
  "openclip-multilingual-retrieval": ["model", "version", "avg"],
} as const;

/** Reads a table of OpenCLIP; its shares become percentages. @throws BoardFormError */
export function readOpenClip(board: keyof typeof files, text: string, options: PlaceOptions): PlacedBoard {
  const [architecture, training, mean] = files[board];
  const lines = readCsv<string>(text, [architecture, training, mean]).flatMap((row) => {
    const value = numberOf(row[mean], mean);
    return value === undefined
      ? []
      : [{ system: `${row[architecture]} ${row[training]}`, value: Math.round(value * 10_000) / 100 }];
  });
  return placeModels(board, lines, options);
}
