import { BoardFormError } from "./board-form-error.ts";
import { numberOf, readCsv } from "./csv.ts";
import { type PlacedBoard, type PlaceOptions, placeModels } from "./place-models.ts";

/**
 * Reads `LANGUAGE_KIND_simplified.csv` of EuroEval. A model is a link to its page; what is behind `#` is how it was run
 * (`#thinking`), behind `@` another revision of the repository, which is not joined.
 *
 * @throws BoardFormError
 */
export function readEuroEval(board: string, text: string, options: PlaceOptions): PlacedBoard {
  const lines = readCsv(text, ["model", "rank"]).flatMap((row) => {
    const value = numberOf(row.rank, "rank");
    const [, address = "", shown = row.model] = /^<a href='([^']*)'>(.*)<\/a>$/.exec(row.model) ?? [];
    const [system = "", revision] = withoutSettings(shown.replaceAll("</a>", "")).split("@");
    if (system === "") {
      throw new BoardFormError(`names no model in ${JSON.stringify(row.model.slice(0, 100))}`);
    }
    if (value === undefined) {
      return [];
    }
    const isOnHub = /^https:\/\/(?:hf\.co|huggingface\.co)\//.test(address) && /^[^/\s]+\/[^/\s]+$/.test(system);
    return [
      {
        system: revision === undefined ? system : `${system}@${revision}`,
        value,
        ...(isOnHub && revision === undefined && { model: system }),
      },
    ];
  });
  return placeModels(board, lines, options);
}

/** A model's name without how it was run: `acme/one#thinking (zero-shot, val)` is `acme/one`. */
function withoutSettings(shown: string): string {
  const bracket = shown.lastIndexOf("(");
  const hasSettings = bracket > 0 && /^\((?:zero-shot|few-shot|val|[,\s])*\)$/.test(shown.slice(bracket).trim());
  const name = hasSettings ? shown.slice(0, bracket) : shown;
  return (name.split("#")[0] as string).trim();
}
