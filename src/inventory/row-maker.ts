import type { Table as ArrowTable, RecordBatch } from "apache-arrow";

/** Makes the rows of a new table of those of an old one. */
export interface RowMaker {
  /** The columns of the old table that it needs. */
  readonly columns: readonly string[];
  /** @throws what `signal` is aborted with. */
  make(batches: readonly RecordBatch[], signal?: AbortSignal): Promise<ArrowTable>;
}
