import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";

/** The position of a row in a list: newest first, rows of the same time by id. */
export interface RowPosition {
  /** Milliseconds since 1970. */
  at: number;
  id: string;
}

/** A request for a page of a list. */
export interface PageRequest {
  /** Most rows of the page; at least 1. */
  size: number;
  /** The page begins after this row. Default: at the newest row. */
  after?: RowPosition;
}

/** Rows of a list, newest first. */
export interface Page<T> {
  items: T[];
  /** Where the next page begins. Undefined on the last page. */
  next?: RowPosition;
}

/** Reads a page of a list. @param read reads rows, newest first. */
export async function readPage<Row>(
  page: PageRequest,
  read: (page: PageRequest) => Promise<Row[]>,
  positionOf: (row: Row) => RowPosition,
): Promise<Page<Row>> {
  // One more row shows whether there is a next page.
  const rows = await read({ ...page, size: page.size + 1 });
  const items = rows.slice(0, page.size);
  const last = items.at(-1);
  return { items, next: last !== undefined && rows.length > items.length ? positionOf(last) : undefined };
}

/** The position of a row in a list that is ordered by creation time. */
export function byCreation({ created_at: at, id }: { created_at: number; id: string }): RowPosition {
  return { at, id };
}

/**
 * Limits a query to the rows of a page, newest first.
 *
 * @param columns of a row's time and id, with the table's name if the query joins several.
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
