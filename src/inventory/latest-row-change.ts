import type { Table } from "@lancedb/lancedb";

/** The number of the last write of a table's rows; 0 before the first. */
export async function latestRowChange(table: Table): Promise<number> {
  const rows = await table
    .query()
    .select(["change"])
    .orderBy({ columnName: "change", ascending: false })
    .limit(1)
    .toArray();
  return rows[0]?.change ?? 0;
}
