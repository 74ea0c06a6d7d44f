import type { Need, Profile } from "../recommend/index.ts";
import type { InterestsTable } from "../store/tables/index.ts";

/** What new models are matched with: a need without a number of results. */
export type InterestNeed = Pick<Need, "description" | "filter" | "ignore">;

/** What an owner waits for. */
export interface Interest {
  id: string;
  ownerId: string;
  /** 1 to 100 characters. */
  name: string;
  need: InterestNeed;
  /** The least score of a match, 0 to 1. */
  minScore: number;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** Milliseconds since 1970. */
  updatedAt: number;
}

/** The least score of a match where the owner does not say. */
export const DEFAULT_MIN_SCORE = 0.5;

/** An interest as its row tells it. */
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

/** An interest that is understood and encoded, for judging many models. */
export interface ReadyInterest {
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly need: Interest["need"];
  readonly minScore: number;
  /** It waits for writes of the inventory behind this number. */
  readonly sinceChange: number;
  readonly revision: number;
  readonly profile: Profile;
}
