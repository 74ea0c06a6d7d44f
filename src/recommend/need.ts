import type { ModelFilter } from "../inventory/table/filter.ts";

/** What a caller asks for, checked. */
export interface Need {
  /** 1 to 2,000 characters, trimmed. */
  description: string;
  /** The explicit fields: they hold without exception. */
  filter: ModelFilter;
  /** Number of results, 1 to 50. */
  topK: number;
  /** Wishes of the description to disregard: a kind, or kind:value. */
  ignore: readonly string[];
}
