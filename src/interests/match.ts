/** A model that satisfied an interest. */
export interface Match {
  id: string;
  /** Its place in the order of the owner's matches. */
  number: number;
  ownerId: string;
  interestId: string;
  interestName: string;
  /** The model in short as it was, as the API tells it. */
  summary: Readonly<Record<string, unknown>>;
  /** 0 to 1. */
  score: number;
  reasons: string[];
  tradeoffs: string[];
  /** `added` or `changed`. */
  cause: string;
  /** Milliseconds since 1970. */
  matchedAt: number;
}
