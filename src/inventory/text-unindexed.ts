import type { Table } from "@lancedb/lancedb";

/** How many rows the index of a table's text lacks: a search for words goes through them one by one. 0 without index. */
export async function textUnindexed(table: Table): Promise<number> {
  // What tells of all indexes (listIndices) reads their files, one of which may be damaged; this reads none.
  return (await table.indexStats("text_idx"))?.numUnindexedRows ?? 0;
}
