import { numberOf, readCsv } from "./csv.ts";
import { type PlacedBoard, type PlaceOptions, placeModels } from "./place-models.ts";

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
