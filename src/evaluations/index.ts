export type { Board, Purpose } from "./board.ts";
export { bundledEvaluations, bundledKeys } from "./bundled.ts";
export { type Evaluation, type Evidence, evaluationsSchema, evidences, strongestEvaluations } from "./evaluation.ts";
export { BoardFormError, type BoardLine, boardFiles, type PlacedBoard, placeModels } from "./forms/index.ts";
export { monthInWords, placeInWords, standingInWords, valueInWords } from "./in-words.ts";
export { boardOf, boards } from "./registry.ts";
export { type Standing, standingsOf } from "./standing.ts";
