import type { Data } from "apache-arrow";
import { Matrix, placesOfHighest } from "../../embedding/index.ts";
import { createYieldToEventLoop } from "../../pace/index.ts";
import { type Condition, filterColumnNames } from "../table/filter.ts";
import type { RowId } from "./model-cache.ts";
import { hasRow, RowFilter, type RowMask, textOf } from "./row-filter.ts";
import type { ReadableTable } from "./table-view.ts";
import { type TextIndex, TextIndexBuilder } from "./text-index.ts";

/** Limits of a search. */
export interface SearchOptions {
  /** How many models at most. */
  limit: number;
  /** The models must meet all of them. */
  conditions?: readonly Condition[];
}

/**
 * The memory of a row without its vector, in bytes: the words of its text, its key and the columns of filters. The
 * starter catalogue's rows take 500; texts that include a card are up to six times as long.
 */
const BYTES_A_ROW = 1_500;

/** The approximate memory of an ExactSearch, in bytes. @param dimensions the length of a vector. */
export function exactSearchBytes(rows: number, dimensions: number): number {
  return rows * (BYTES_A_ROW + 4 * dimensions);
}

/**
 * Searches one version of a table in memory: all its vectors, words and filtered columns as typed arrays. It finds the
 * exact nearest, as LanceDB does without a vector index, in a fraction of the time.
 */
export class ExactSearch {
  readonly #ids: BigUint64Array;
  readonly #rowOf: ReadonlyMap<string, number>;
  readonly #filter: RowFilter;
  /** A row for each row of the table. */
  readonly #vectors: Matrix;
  readonly #texts: TextIndex;
  /** The last vector and its dot products with all rows. The searches for one need use the same vector. */
  #last: { vector: Float32Array; products: Float32Array } | undefined;

  private constructor(
    ids: BigUint64Array,
    rowOf: ReadonlyMap<string, number>,
    filter: RowFilter,
    vectors: Matrix,
    texts: TextIndex,
  ) {
    this.#ids = ids;
    this.#rowOf = rowOf;
    this.#filter = filter;
    this.#vectors = vectors;
    this.#texts = texts;
  }

  /**
   * Reads a table. Yields so that a server can answer.
   *
   * @returns undefined if the table changed meanwhile.
   */
  static async load(table: ReadableTable, dimensions: number): Promise<ExactSearch | undefined> {
    const yieldToEventLoop = createYieldToEventLoop();
    const rows = await table.countRows();
    const ids = new BigUint64Array(rows);
    const rowOf = new Map<string, number>();
    const filter = new RowFilter(rows);
    const vectors = new Matrix(rows, dimensions);
    const texts = new TextIndexBuilder();
    let done = 0;
    for await (const batch of table.query().select(["_rowid", "key", "text", "vector", ...filterColumnNames])) {
      if (done + batch.numRows > rows) {
        return undefined;
      }
      const column = (name: string) => batch.getChild(name)?.data[0] as Data;
      ids.set(column("_rowid").values, done);
      vectors.set(done, column("vector").children[0]?.values.subarray(0, batch.numRows * dimensions));
      filter.add(batch, filterColumnNames);
      await yieldToEventLoop();
      const keys = column("key");
      const searched = column("text");
      for (let row = 0; row < batch.numRows; row++) {
        rowOf.set(textOf(keys, row), done + row);
        texts.add(textOf(searched, row));
        await yieldToEventLoop();
      }
      done += batch.numRows;
    }
    return done === rows ? new ExactSearch(ids, rowOf, filter, vectors, texts.finish()) : undefined;
  }

  /** The rows of the texts that share words with a query, best match first by BM25. */
  searchText(query: string, { limit, conditions = [] }: SearchOptions): RowId[] {
    return this.#best(this.#texts.scores(query), 0, limit, this.#filter.mask(conditions));
  }

  /** The rows whose vectors are nearest to a vector, by dot product, nearest first. */
  searchVector(vector: Float32Array, { limit, conditions = [] }: SearchOptions): RowId[] {
    if (this.#last?.vector !== vector) {
      this.#last = { vector, products: this.#vectors.products(vector) };
    }
    return this.#best(this.#last.products, Number.NEGATIVE_INFINITY, limit, this.#filter.mask(conditions));
  }

  /** The rows of keys that exist, in their order. */
  searchKeys(keys: Iterable<string>, { limit, conditions = [] }: SearchOptions): RowId[] {
    const mask = this.#filter.mask(conditions);
    const found: RowId[] = [];
    for (const key of keys) {
      if (found.length === limit) {
        break;
      }
      const row = this.#rowOf.get(key);
      if (row !== undefined && (mask === undefined || hasRow(mask, row))) {
        found.push(this.#ids[row] as RowId);
      }
    }
    return found;
  }

  /** The rows with the highest values above a bound, highest first, equal ones in the table's order. */
  #best(values: Float32Array, above: number, limit: number, mask: RowMask | undefined): RowId[] {
    const passes = mask && ((row: number) => hasRow(mask, row));
    return placesOfHighest(values, limit, above, passes).map((row) => this.#ids[row] as RowId);
  }
}
