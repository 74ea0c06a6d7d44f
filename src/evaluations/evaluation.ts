import { z } from "zod";
import { boardOf, boardProblem } from "./registry.ts";

/**
 * How a figure is known, strongest first: measured by the board for this very model; claimed and reproduced by others;
 * measured for the model that this one repackages; measured for another form of the model; claimed by its authors.
 */
export const evidences = ["measured", "verified", "base", "line", "claimed"] as const;
export type Evidence = (typeof evidences)[number];

/** One figure of a board about a model, as it is stored. */
export interface Evaluation {
  /** Id of the board. */
  board: string;
  /** In the unit of the board's metric. */
  value: number;
  /** The model's place on the whole board, 1 for the best; equal values share a place. Absent if unknown. */
  place?: number;
  /** Number of models on the whole board. Present if `place` is. */
  of?: number;
  /** The day of the figure, or of the board that has it: YYYY-MM-DD. Absent if unknown. */
  as_of?: string;
  evidence: Evidence;
  /** Where the figure is, if not at the board's own address. */
  url?: string;
}

const MAX_BOARD_CHARS = 100;
const MAX_PLACES = 10_000_000;

/** Reads a figure, and checks it against its board: the value's range, the place. `evidence` is `claimed` by default. */
const evaluationSchema = z
  .object({
    board: z.string().trim().min(1).max(MAX_BOARD_CHARS),
    value: z.number(),
    place: z.number().int().positive().max(MAX_PLACES).optional(),
    of: z.number().int().positive().max(MAX_PLACES).optional(),
    as_of: z.iso.date().optional(),
    evidence: z.enum(evidences).default("claimed"),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), { message: "must have no user and no password in it" })
      .overwrite((url) => url.toWellFormed())
      .optional(),
  })
  .superRefine(({ board: id, value, place, of }, context) => {
    const report = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    const problem = boardProblem(id);
    if (problem !== undefined) {
      report("board", `${id} ${problem}`);
    }
    const board = boardOf(id);
    if (board !== undefined && (value < board.range[0] || value > board.range[1])) {
      report(
        "value",
        `${value} is outside ${board.range[0]} to ${board.range[1]}, the range of ${id} (${board.metric})`,
      );
    }
    if ((place === undefined) !== (of === undefined)) {
      report("place", "`place` and `of` must be given together");
    }
    if (place !== undefined && of !== undefined && place > of) {
      report("place", `${place} is more than ${of}, the number of systems`);
    }
  });

const MAX_EVALUATIONS = 1_000;

/** The figures of one model: at most one of each board. */
export const evaluationsSchema = z
  .array(evaluationSchema)
  .max(MAX_EVALUATIONS)
  .superRefine((evaluations, context) => {
    const seen = new Set<string>();
    for (const [index, { board }] of evaluations.entries()) {
      if (seen.has(board)) {
        context.addIssue({ code: "custom", path: [index, "board"], message: `${board} is listed twice` });
      }
      seen.add(board);
    }
  });

/**
 * One figure of each board: of several the one with the strongest evidence, then the newest, then the first. Ordered by
 * board, so that equal facts give equal lists.
 */
export function strongestEvaluations(evaluations: readonly Evaluation[]): Evaluation[] {
  const strongest = new Map<string, Evaluation>();
  for (const evaluation of evaluations) {
    const before = strongest.get(evaluation.board);
    if (before === undefined || isStronger(evaluation, before)) {
      strongest.set(evaluation.board, evaluation);
    }
  }
  return [...strongest.values()].sort((a, b) => (a.board < b.board ? -1 : 1));
}

function isStronger(a: Evaluation, b: Evaluation): boolean {
  const byEvidence = evidences.indexOf(a.evidence) - evidences.indexOf(b.evidence);
  return byEvidence < 0 || (byEvidence === 0 && (a.as_of ?? "") > (b.as_of ?? ""));
}
