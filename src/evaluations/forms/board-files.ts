import { euroEvalLanguages } from "../boards/euroeval.ts";
import { readOpenAsrLong, readOpenAsrMultilingual, readOpenAsrShort } from "./open-asr.ts";
import type { PlacedBoard, PlaceOptions } from "./place-models.ts";
import { readGiftEval, readModelsDev, readMteb, readRoboflow } from "./reduced.ts";
import { readBfcl, readEuroEval, readOpenClip, readTimm, readTimmSpeeds, readVectara } from "./table-boards.ts";

/** A file that holds one board or several. */
export interface BoardFile {
  /** Name in the folder that the bundled figures are made from. */
  file: string;
  /** The repository that publishes it; see `sources.json`. */
  publisher: string;
  /** Path of the file below its publisher's address, where it is read live. Absent for files that were reduced. */
  path?: string;
  /** Whether figures can be bundled without it. Default: no. */
  isOptional?: true;
  /** Reads the file. @throws BoardFormError */
  read(text: string, options: PlaceOptions): PlacedBoard[];
}

/** All files of boards whose form is known. */
export const boardFiles: readonly BoardFile[] = [
  { file: "mteb-main-scores.jsonl", publisher: "mteb", read: readMteb },
  ...Object.keys(euroEvalLanguages).flatMap((language) =>
    ["all", "nlu"].map(
      (kind): BoardFile => ({
        file: `euroeval/${language}_${kind}_simplified.csv`,
        publisher: "euroeval",
        path: `leaderboards/${language}_${kind}_simplified.csv`,
        read: (text, options) => [readEuroEval(`euroeval-${language}-${kind}`, text, options)],
      }),
    ),
  ),
  {
    file: "open-asr-en_shortform.csv",
    publisher: "open-asr",
    path: "scripts/data/en_shortform.csv",
    read: readOpenAsrShort,
  },
  {
    file: "open-asr-en_longform.csv",
    publisher: "open-asr",
    path: "scripts/data/en_longform.csv",
    read: readOpenAsrLong,
  },
  {
    file: "open-asr-multilingual.csv",
    publisher: "open-asr",
    path: "scripts/data/multilingual.csv",
    read: readOpenAsrMultilingual,
  },
  {
    file: "timm-results-imagenet.csv",
    publisher: "timm",
    path: "results/results-imagenet.csv",
    read: (text, options) => [readTimm("timm-imagenet", text, options)],
  },
  {
    file: "timm-results-imagenet-real.csv",
    publisher: "timm",
    path: "results/results-imagenet-real.csv",
    read: (text, options) => [readTimm("timm-imagenet-real", text, options)],
  },
  {
    file: "timm-benchmark-infer-rtx3090.csv",
    publisher: "timm",
    path: "results/benchmark-infer-amp-nhwc-pt240-cu124-rtx3090.csv",
    isOptional: true,
    read: (text, options) => [readTimmSpeeds("timm-infer-rtx3090", text, options)],
  },
  {
    file: "timm-benchmark-infer-cpu.csv",
    publisher: "timm",
    path: "results/benchmark-infer-fp32-nchw-pt240-cpu-i7_12700h-dynamo.csv",
    isOptional: true,
    read: (text, options) => [readTimmSpeeds("timm-infer-cpu", text, options)],
  },
  {
    file: "bfcl-v4-overall.csv",
    publisher: "bfcl",
    path: "data_overall.csv",
    read: (text, options) => [readBfcl(text, options)],
  },
  {
    file: "vectara-hallucination.md",
    publisher: "vectara",
    path: "README.md",
    read: (text, options) => [readVectara(text, options)],
  },
  {
    file: "openclip_results.csv",
    publisher: "openclip",
    path: "docs/openclip_results.csv",
    read: (text, options) => [readOpenClip("openclip-zero-shot", text, options)],
  },
  {
    file: "openclip_retrieval_results.csv",
    publisher: "openclip",
    path: "docs/openclip_retrieval_results.csv",
    read: (text, options) => [readOpenClip("openclip-retrieval", text, options)],
  },
  {
    file: "openclip_multilingual_retrieval_results.csv",
    publisher: "openclip",
    path: "docs/openclip_multilingual_retrieval_results.csv",
    read: (text, options) => [readOpenClip("openclip-multilingual-retrieval", text, options)],
  },
  { file: "gift-eval.json", publisher: "gift-eval", read: (text, options) => [readGiftEval(text, options)] },
  { file: "roboflow-detection.json", publisher: "roboflow", read: (text, options) => [readRoboflow(text, options)] },
  { file: "models.dev-benchmarks.json", publisher: "models.dev", read: readModelsDev },
];
