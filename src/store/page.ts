import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";

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

/** A page of a list. @param read reads rows from the newest to the oldest. */
export async function readPage<Row>(
  page: PageRequest,
  read: (page: PageRequest) => Promise<Row[]>,
  positionOf: (row: Row) => RowPosition,
): Promise<Page<Row>> {
  // One row more tells whether there is a next page.
  const rows = await read({ ...page, size: page.size + 1 });
  const items = rows.slice(0, page.size);
  const last = items.at(-1);
  return { items, next: last !== undefined && rows.length > items.length ? positionOf(last) : undefined };
}

/** Where a row of a list stands that is ordered by when its rows were made. */
export function byCreation({ created_at: at, id }: { created_at: number; id: string }): RowPosition {
  return { at, id };
}

/**
 * Limits a query to the rows of a page, from the newest to the oldest.
 *
 * @param columns of a row's time and of its id, with their table's name where the query has several.
 */
export function onPage<Tables, Selected extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, Selected, Row>,
  { size, after }: PageRequest,
  columns: readonly [at: string, id: string],
): SelectQueryBuilder<Tables, Selected, Row> {
  const at = sql.ref(columns[0]);
  const id = sql.ref(columns[1]);
  const rest = after ? query.where(sql<SqlBool>`(${at}, ${id}) < (${after.at}, ${after.id})`) : query;
  return rest.orderBy(at, "desc").orderBy(id, "desc").limit(size);
}
