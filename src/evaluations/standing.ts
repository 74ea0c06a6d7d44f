import type { Board } from "./board.ts";
import type { Evaluation } from "./evaluation.ts";
import { boardIndex, boardOf } from "./registry.ts";

/** A figure of a model with its board: what a ranking needs, without any I/O. */
export interface Standing extends Evaluation {
  of?: number;
  /** What is measured, for which tasks, purposes and languages. */
  facts: Board;
  /**
   * The share of the board's other models that are behind this one, 0 to 1: of all that the board has, not only of those
   * in the inventory. Absent where the place is unknown, or the model is alone.
   */
  percentile?: number;
}

/**
 * The figures of a model with their boards, in the order of `boards`. Figures of boards that this version does not know
 * are left out.
 */
export function standingsOf(evaluations: readonly Evaluation[] = []): Standing[] {
  const ordered = [...evaluations].sort((a, b) => boardIndex(a.board) - boardIndex(b.board));
  return ordered.flatMap((evaluation) => {
    const facts = boardOf(evaluation.board);
    if (facts === undefined) {
      return [];
    }
    const percentile = percentileOf(evaluation);
    return [{ ...evaluation, facts, ...(percentile !== undefined && { percentile }) }];
  });
}

function percentileOf({ place, of }: Evaluation): number | undefined {
  return place === undefined || of === undefined || of < 2 ? undefined : (of - place) / (of - 1);
}
