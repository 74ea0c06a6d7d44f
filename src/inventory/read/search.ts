import { MatchQuery } from "@lancedb/lancedb";
import { allOf, type Condition, keyIn } from "../table/filter.ts";
import type { RowId } from "./model-cache.ts";
import type { ReadableTable } from "./table-view.ts";

/** Limits of a search. */
export interface SearchOptions {
  /** How many models at most. */
  limit: number;
  /** The models must meet all of them. */
  conditions?: readonly Condition[];
}

/** The rows of the models whose text shares words with a query, best match first by BM25. */
export async function searchText(
  table: ReadableTable,
  query: string,
  { limit, conditions = [] }: SearchOptions,
): Promise<RowId[]> {
  const condition = allOf(conditions);
  // As words: a bare string in quotation marks would be a phrase.
  const search = table.query().fullTextSearch(new MatchQuery(query, "text"));
  const filtered = condition === undefined ? search : search.where(condition);
  // Row numbers come from the index alone; any other column would be read row by row, which takes longer than the
  // search.
  return rowIds(await filtered.limit(limit).select(["_rowid", "_score"]).toArray());
}

/** The rows of the models whose text is nearest in meaning to a vector, nearest first. */
export async function searchVector(
  table: ReadableTable,
  vector: Float32Array,
  { limit, conditions = [] }: SearchOptions,
): Promise<RowId[]> {
  const condition = allOf(conditions);
  const search = table.query().nearestTo(vector).distanceType("dot");
  const filtered = condition === undefined ? search : search.where(condition);
  return rowIds(await filtered.limit(limit).select(["_rowid", "_distance"]).toArray());
}

/** The rows of the models of some keys, at least one, that meet all conditions. */
export async function searchKeys(
  table: ReadableTable,
  keys: readonly string[],
  conditions: readonly Condition[],
): Promise<RowId[]> {
  const condition = allOf(conditions);
  const found = condition === undefined ? keyIn(keys) : `${keyIn(keys)} AND ${condition}`;
  return rowIds(await table.query().where(found).limit(keys.length).select(["_rowid"]).toArray());
}

function rowIds(rows: Array<{ _rowid: RowId }>): RowId[] {
  return rows.map((row) => row._rowid);
}
