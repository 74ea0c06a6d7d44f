/** The states of a batch. The last three are final. */
export const batchStates = ["queued", "running", "succeeded", "failed", "cancelled"] as const;

export type BatchState = (typeof batchStates)[number];

/** Needs that are answered in the background. Times are in milliseconds since 1970. */
export interface Batch {
  /** Such as bat_01jk2m…. */
  id: string;
  ownerId: string;
  /** The name of the owner; the id if the owner has no name. Set in lists only. */
  ownerName?: string;
  /** The customer's name for it. */
  name?: string;
  state: BatchState;
  /** Number of needs. */
  total: number;
  /** Needs answered so far, errors included: always the first ones. */
  completed: number;
  /** How many of these answers are errors. */
  failed: number;
  /** Why the whole batch failed. */
  error?: string;
  createdAt: number;
  startedAt?: number;
  endedAt?: number;
  /** When the batch and its answers are removed; undefined until it has ended. */
  resultsUntil?: number;
}
