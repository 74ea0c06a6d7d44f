import type { Condition } from "../table/filter.ts";
import type { ExactSearch } from "./exact-search.ts";
import type { ExactSearchLoader } from "./exact-search-loader.ts";
import type { IndexRecovery } from "./index-recovery.ts";
import type { RowId } from "./model-cache.ts";
import { type SearchOptions, searchKeys, searchText, searchVector } from "./search.ts";
import type { ReadableTable, TableView } from "./table-view.ts";

/** Searches the models that reads see: in memory if their version is loaded, else with LanceDB. */
export interface ModelSearch {
  /** The rows of the models whose text shares words with a query, best match first by BM25. */
  text(query: string, options: SearchOptions): Promise<RowId[]>;
  /** The rows of the models whose text is nearest in meaning to a vector, nearest first. */
  vector(vector: Float32Array, options: SearchOptions): Promise<RowId[]>;
  /** The rows of the models of some keys that meet all conditions, in no order. */
  keys(keys: readonly string[], conditions?: readonly Condition[]): Promise<RowId[]>;
}

/** The parts of an inventory that its searches use. */
export interface ModelSearchParts {
  view: TableView;
  exact: ExactSearchLoader;
  recovery: IndexRecovery;
  /** Keeps the searches of LanceDB, to warm a new version with them. */
  recent: RecentSearches;
}

/** Creates the searches of an inventory. */
export function createModelSearch({ view, exact, recovery, recent }: ModelSearchParts): ModelSearch {
  async function search(inMemory: (exact: ExactSearch) => RowId[], inTable: Search): Promise<RowId[]> {
    await view.fresh();
    const loaded = await exact.search();
    return loaded === undefined ? recovery.read(() => recent.run(view, inTable)) : inMemory(loaded);
  }

  return {
    text: (query, options) =>
      search(
        (loaded) => loaded.searchText(query, options),
        (table) => searchText(table, query, options),
      ),
    vector: (vector, options) =>
      search(
        (loaded) => loaded.searchVector(vector, options),
        (table) => searchVector(table, vector, options),
      ),
    keys: async (keys, conditions = []) =>
      keys.length === 0
        ? []
        : search(
            (loaded) => loaded.searchKeys(keys, conditions),
            (table) => searchKeys(table, keys, conditions),
          ),
  };
}

/** A search that can run on any version of a table. */
type Search = (table: ReadableTable) => Promise<RowId[]>;

/** The most searches that are kept: those of some ten recommendations. */
const KEPT_SEARCHES = 50;

/** The last searches. They are likely to come again, so they warm up a new version of the table. */
export class RecentSearches {
  #searches: Search[] = [];
  #next = 0;

  /** Runs a search and keeps it. */
  run(table: ReadableTable, search: Search): Promise<RowId[]> {
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
