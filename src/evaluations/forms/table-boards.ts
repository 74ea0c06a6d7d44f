import { numberOf, readCsv } from "./csv.ts";
import { BoardFormError, type BoardLine, type PlacedBoard, type PlaceOptions, placeModels } from "./place-models.ts";

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

/** Reads `results-imagenet.csv` or `results-imagenet-real.csv` of timm: the weights NAME are `timm/NAME`. @throws BoardFormError */
export function readTimm(
  board: "timm-imagenet" | "timm-imagenet-real",
  text: string,
  options: PlaceOptions,
): PlacedBoard {
  const lines = readCsv(text, ["model", "top1"]).flatMap(({ model, top1 }) => {
    const value = numberOf(top1, "top1");
    return value === undefined || model === "" ? [] : [{ system: model, model: `timm/${model}`, value }];
  });
  return placeModels(board, lines, options);
}

/**
 * Reads `benchmark-infer-….csv` of timm. It has the speeds of architectures, which all weights of one share; the best
 * counts where one was run with several settings.
 *
 * @param options.known the ids whose architectures are looked for: `timm/ARCHITECTURE.TRAINING`.
 * @throws BoardFormError
 */
export function readTimmSpeeds(board: string, text: string, { known = [], ...options }: PlaceOptions): PlacedBoard {
  const weights = new Map<string, string[]>();
  for (const id of known.filter((each) => each.startsWith("timm/"))) {
    const architecture = id.slice("timm/".length).split(".")[0] as string;
    weights.set(architecture, [...(weights.get(architecture) ?? []), id]);
  }
  const lines = readCsv(text, ["model", "infer_samples_per_sec"]).flatMap(({ model, infer_samples_per_sec: speed }) => {
    const value = numberOf(speed, "infer_samples_per_sec");
    const models = weights.get(model.split(".")[0] as string) ?? [];
    return value === undefined ? [] : [{ system: model, models, value }];
  });
  return placeModels(board, lines, options);
}

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
