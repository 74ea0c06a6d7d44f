/** The states of a batch. The last three are ends. */
export const batchStates = ["queued", "running", "succeeded", "failed", "cancelled"] as const;

export type BatchState = (typeof batchStates)[number];

/** Needs that are answered in the background. Times are in milliseconds since 1970. */
export interface Batch {
  /** Such as bat_01jk2m…. */
  id: string;
  ownerId: string;
  /** The name of the owner; the id where none was given. Known in lists only. */
  ownerName?: string;
  /** What the customer calls it. */
  name?: string;
  state: BatchState;
  /** How many needs it has. */
  total: number;
  /** How many of them are answered, errors included: always those at the front. */
  completed: number;
  /** How many of these have an error in place of an answer. */
  failed: number;
  /** Why it failed as a whole. */
  error?: string;
  createdAt: number;
  startedAt?: number;
  endedAt?: number;
  /** Until when it and its answers are kept; undefined until it has ended. */
  resultsUntil?: number;
}
