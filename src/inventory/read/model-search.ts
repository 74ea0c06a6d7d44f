import { MatchQuery } from "@lancedb/lancedb";
import { allOf, keyIn } from "../table/filter.ts";
import type { ExactSearch, SearchOptions } from "./exact-search.ts";
import type { ExactSearchLoader } from "./exact-search-loader.ts";
import type { IndexRecovery } from "./index-recovery.ts";
import type { IndexedModel, ModelCache, RowId } from "./model-cache.ts";
import type { ReadableTable, TableView } from "./table-view.ts";

/**
 * A search for the models whose text shares words with a query, best match first by BM25; whose text is nearest in
 * meaning to a vector, nearest first; or of some keys, in their order.
 */
export type Search =
  | ({ text: string } & SearchOptions)
  | ({ vector: Float32Array } & SearchOptions)
  | ({ keys: Iterable<string> } & SearchOptions);

/** Searches the models that reads see: in memory if their version is loaded, else with LanceDB. */
export interface ModelSearch {
  /** The rows that a search finds. */
  rows(search: Search): Promise<RowId[]>;
  /** The models that each search finds. */
  models(searches: readonly Search[]): Promise<IndexedModel[][]>;
}

/** The parts of an inventory that its searches use. */
export interface ModelSearchParts {
  view: TableView;
  exact: ExactSearchLoader;
  recovery: IndexRecovery;
  cache: ModelCache;
  /** Keeps the searches of LanceDB, to warm a new version with them. */
  recent: RecentSearches;
}

/** Attempts while a write moves models. After the last one, models that were not found are left out. */
const MOST_ATTEMPTS = 3;

/** Creates the searches of an inventory. */
export function createModelSearch({ view, exact, recovery, cache, recent }: ModelSearchParts): ModelSearch {
  async function rows(search: Search): Promise<RowId[]> {
    await view.fresh();
    const loaded = await exact.search();
    return loaded === undefined
      ? recovery.read(() => recent.run(view, (table) => searchTable(table, search)))
      : searchMemory(loaded, search);
  }

  async function models(searches: readonly Search[]): Promise<IndexedModel[][]> {
    for (let attempt = 1; ; attempt++) {
      const found = await Promise.all(searches.map(rows));
      const all = found.flat();
      const read = await cache.read(all);
      if (read.length === all.length) {
        let end = 0;
        return found.map(({ length }) => {
          end += length;
          return read.slice(end - length, end);
        });
      }
      // Between the two steps a write has moved some rows.
      if (attempt === MOST_ATTEMPTS) {
        return Promise.all(found.map((list) => cache.read(list)));
      }
    }
  }

  return { rows, models };
}

function searchMemory(exact: ExactSearch, search: Search): RowId[] {
  if ("keys" in search) {
    return exact.searchKeys(search.keys, search);
  }
  return "text" in search ? exact.searchText(search.text, search) : exact.searchVector(search.vector, search);
}

function searchTable(table: ReadableTable, search: Search): Promise<RowId[]> {
  if ("keys" in search) {
    return searchKeys(table, [...search.keys], search);
  }
  return "text" in search ? searchText(table, search.text, search) : searchVector(table, search.vector, search);
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

/** The rows of the models of some keys, in their order. */
export async function searchKeys(
  table: ReadableTable,
  keys: readonly string[],
  { limit, conditions = [] }: SearchOptions,
): Promise<RowId[]> {
  if (keys.length === 0) {
    return [];
  }
  const condition = allOf(conditions);
  const where = condition === undefined ? keyIn(keys) : `${keyIn(keys)} AND ${condition}`;
  const found: Array<{ _rowid: RowId; key: string }> = await table
    .query()
    .where(where)
    .limit(keys.length)
    .select(["_rowid", "key"])
    .toArray();
  const rowOf = new Map(found.map((row) => [row.key, row._rowid]));
  return keys
    .map((key) => rowOf.get(key))
    .filter((row) => row !== undefined)
    .slice(0, limit);
}

function rowIds(rows: Array<{ _rowid: RowId }>): RowId[] {
  return rows.map((row) => row._rowid);
}

/** A search that can run on any version of a table. */
type TableSearch = (table: ReadableTable) => Promise<RowId[]>;

/** The most searches that are kept: those of some ten recommendations. */
const KEPT_SEARCHES = 50;

/** The last searches. They are likely to come again, so they warm up a new version of the table. */
export class RecentSearches {
  #searches: TableSearch[] = [];
  #next = 0;

  /** Runs a search and keeps it. */
  run(table: ReadableTable, search: TableSearch): Promise<RowId[]> {
    this.#searches[this.#next] = search;
    this.#next = (this.#next + 1) % KEPT_SEARCHES;
    return search(table);
  }

  /** Runs the kept searches again, one after the other, to load the data that they need into memory. */
  async repeat(table: ReadableTable): Promise<void> {
    for (const search of [...this.#searches]) {
      await search(table);
    }
  }
}
