import type { Table } from "@lancedb/lancedb";

/** The numbers of all changes after one, ascending: eight bytes a row. */
export async function changeNumbers(table: Table, after: number): Promise<Float64Array> {
  const parts: Float64Array[] = [];
  for await (const batch of table.query().where(`change > ${after}`).select(["change"])) {
    parts.push(batch.getChild("change")?.toArray() as Float64Array);
  }
  const all = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}
