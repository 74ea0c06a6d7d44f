/** Where a page of a list ends: rows are ordered by time, newest first, and by id where times are equal. */
export interface RowPosition {
  /** Milliseconds since 1970. */
  at: number;
  id: string;
}

/** Asks for a page of a list. */
export interface PageRequest {
  /** How many rows at most; at least 1. */
  size: number;
  /** The page begins behind it. Default: at the newest row. */
  after?: RowPosition;
}

/** Rows of a list, newest first. */
export interface Page<T> {
  items: T[];
  /** Where the next page begins; undefined when this is the last one. */
  next?: RowPosition;
}
