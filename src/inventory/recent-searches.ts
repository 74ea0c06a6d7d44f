import type { RowId } from "./model-cache.ts";
import type { ReadableTable } from "./table-view.ts";

/** A search of whatever version of a table. */
export type Search = (table: ReadableTable) => Promise<RowId[]>;

/** Some ten recommendations. */
const REMEMBERED = 50;

/** The last searches, which are likely to come again: another version of the table is made warm with them. */
export class RecentSearches {
  #searches: Search[] = [];
  #next = 0;

  /** Searches, and remembers it. */
  run(table: ReadableTable, search: Search): Promise<RowId[]> {
    this.#searches[this.#next] = search;
    this.#next = (this.#next + 1) % REMEMBERED;
    return search(table);
  }

  /** Does them again, one after the other, for what that brings into memory. */
  async repeat(table: ReadableTable): Promise<void> {
    for (const search of [...this.#searches]) await search(table);
  }
}
