import type { Need } from "../recommend/need.ts";

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
