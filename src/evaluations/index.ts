export type { Board, Purpose } from "./board.ts";
export { bundledEvaluations } from "./bundled.ts";
export { type Evaluation, type Evidence, evaluationsSchema, evidences, strongestEvaluations } from "./evaluation.ts";
export { monthInWords, placeInWords, standingInWords, valueInWords } from "./in-words.ts";
export { boardOf, boards } from "./registry.ts";
export { type Standing, standingsOf } from "./standing.ts";
