import type { Table } from "@lancedb/lancedb";

/** How many rows the index of a table's text lacks: a search for words goes through them one by one. 0 without index. */
export async function textUnindexed(table: Table): Promise<number> {
  const index = (await table.listIndices()).find(({ columns }) => columns.includes("text"));
  return index?.numUnindexedRows ?? 0;
}
