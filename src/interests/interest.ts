import type { Need, PreparedNeed } from "../recommend/index.ts";
import type { InterestsTable } from "../store/tables/index.ts";

/** The need of an interest: it has no number of results. */
export type InterestNeed = Pick<Need, "description" | "filter" | "ignore" | "priority">;

/** A saved need. Its owner gets a match for each new model that satisfies it. */
export interface Interest {
  id: string;
  ownerId: string;
  /** 1 to 100 characters. */
  name: string;
  need: InterestNeed;
  /** The lowest score of a match, 0 to 1. */
  minScore: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Milliseconds since 1970. */
  updatedAt: number;
}

/** The lowest score of a match if the owner sets none. */
export const DEFAULT_MIN_SCORE = 0.5;

/** Reads an interest from its row. */
export function readInterest(row: InterestsTable): Interest {
  return {
    id: row.id,
    ownerId: row.owner_id,
    name: row.name,
    need: JSON.parse(row.need),
    minScore: row.min_score,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** An interest that is understood and encoded, ready to judge many models. */
export interface ReadyInterest {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly need: Interest["need"];
  readonly minScore: number;
  /** The number of an inventory write: the interest waits for later ones. */
  readonly sinceChange: number;
  readonly revision: number;
  readonly prepared: PreparedNeed;
}
