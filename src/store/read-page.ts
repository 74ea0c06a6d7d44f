import type { Page, PageRequest, RowPosition } from "./page.ts";

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
