import { didYouMean } from "../text/index.ts";
import type { Board } from "./board.ts";
import { embeddingBoards } from "./boards/embedding-models.ts";
import { euroEvalBoards } from "./boards/euroeval.ts";
import { hubBenchmarks } from "./boards/hub-benchmarks.ts";
import { languageModelBoards } from "./boards/language-models.ts";
import { speechBoards } from "./boards/speech-models.ts";
import { visionBoards } from "./boards/vision-models.ts";

/** Boards of models for data that is neither text, sound nor images. */
const otherBoards: readonly Board[] = [
  {
    id: "gift-eval",
    collection: "gift-eval",
    name: "GIFT-Eval results for forecasting",
    measures: "errors of forecasts over 97 settings of time series",
    tasks: ["time-series-forecasting"],
    purposes: ["forecasting"],
    languages: [],
    metric: "geometric mean of MASE",
    higherIsBetter: false,
    range: [0, 1_000],
    words: "a mean scaled error (MASE) of {}",
    decimals: 2,
    aspect: "quality",
    license: "Apache-2.0",
    attribution: "GIFT-Eval (Salesforce AI Research); mean computed by modelscout, not normalised",
    url: "https://huggingface.co/spaces/Salesforce/GIFT-Eval",
  },
];

/** All boards whose figures may be kept. */
export const boards: readonly Board[] = [
  ...languageModelBoards,
  ...euroEvalBoards,
  ...embeddingBoards,
  ...speechBoards,
  ...visionBoards,
  ...otherBoards,
  ...hubBenchmarks,
];

/** Leaderboards whose figures must not be kept, by id, and why. */
export const forbiddenBoards: ReadonlyMap<string, string> = new Map([
  ["artificial-analysis", "its terms forbid products that help to select models"],
  ["livebench", "it states no licence"],
  ["open-llm-leaderboard", "its data set states no licence"],
  ["open-llm-leaderboard-v2", "its data set states no licence"],
  ["opus-mt-dashboard", "it states no licence"],
]);

/** Licences under which figures may be kept and shown with attribution. */
export const openLicenses: ReadonlySet<string> = new Set([
  "Apache-2.0",
  "BSD-3-Clause",
  "CC-BY-4.0",
  "CC-BY-SA-4.0",
  "CC0-1.0",
  "MIT",
]);

const places: ReadonlyMap<string, number> = new Map(boards.map(({ id }, index) => [id, index]));

/** Where a board is in `boards`, which has a leaderboard's main board first; Infinity when there is none of the id. */
export function boardIndex(id: string): number {
  return places.get(id) ?? Number.POSITIVE_INFINITY;
}

const byId: ReadonlyMap<string, Board> = new Map(boards.map((board) => [board.id, board]));

/** The board of an id; undefined when there is none. */
export function boardOf(id: string): Board | undefined {
  return byId.get(id);
}

/** Why figures of a board cannot be kept; undefined when they can. */
export function boardProblem(id: string): string | undefined {
  if (byId.has(id)) {
    return undefined;
  }
  const reason = forbiddenBoards.get(id.toLowerCase());
  return reason === undefined
    ? `is not a known board${didYouMean(id, byId.keys())}`
    : `must not be kept: ${reason}. Leave it out`;
}
