import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { PageRequest } from "./page.ts";

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
