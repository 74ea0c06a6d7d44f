export type { Board, BoardPurpose } from "./board.ts";
export { bundledEvaluations, bundledKeys } from "./bundled.ts";
export { type Evaluation, type Evidence, evaluationsSchema, evidences, strongestEvaluations } from "./evaluation.ts";
export { boardFiles } from "./forms/board-files.ts";
export { BoardFormError, type BoardLine, type PlacedBoard, placeModels } from "./forms/place-models.ts";
export { boardOf, boards } from "./registry.ts";
export { monthInWords, placeInWords, type Standing, standingInWords, standingsOf, valueInWords } from "./standing.ts";
