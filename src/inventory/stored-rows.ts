import type { Table } from "@lancedb/lancedb";
import { quote } from "./filter.ts";
import type { RowState } from "./row-state.ts";
import { takingTurns } from "./turns.ts";

/** A row as it is read to be written again. */
export interface StoredRow extends RowState {
  key: string;
  text: string;
  /** The text encoded. */
  vector: Float32Array;
}

/** Keys looked for at a time: a condition is parsed and planned whole. */
const KEYS_A_QUERY = 5_000;

/** The digests of those of the models that a table has, by key. */
export async function readDigests(table: Table, keys: readonly string[]): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for await (const row of rowsOf(table, keys, ["key", "digest"])) digests.set(row.key, row.digest);
  return digests;
}

/** The rows of those of the models that a table has, by key. */
export async function readRows(table: Table, keys: readonly string[]): Promise<Map<string, StoredRow>> {
  const rows = new Map<string, StoredRow>();
  const columns = [
    "key",
    "text",
    "vector",
    "records",
    "digest",
    "change",
    "facts_change",
    "added_change",
    "initial",
    "past",
  ];
  for await (const row of rowsOf(table, keys, columns)) {
    rows.set(row.key, {
      key: row.key,
      text: row.text,
      vector: row.vector.toArray(),
      told: JSON.parse(row.records),
      digest: row.digest,
      change: row.change,
      factsChange: row.facts_change,
      addedChange: row.added_change,
      initial: row.initial,
      past: row.past === null ? [] : JSON.parse(row.past),
    });
  }
  return rows;
}

// biome-ignore lint/suspicious/noExplicitAny: rows have the columns that are asked for
async function* rowsOf(table: Table, keys: readonly string[], columns: string[]): AsyncGenerator<any> {
  const giveTurn = takingTurns();
  for (let i = 0; i < keys.length; i += KEYS_A_QUERY) {
    const list = keys.slice(i, i + KEYS_A_QUERY).map(quote);
    const rows = await table
      .query()
      .where(`key IN (${list.join(", ")})`)
      .select(columns)
      .toArray();
    for (const row of rows) {
      yield row;
      await giveTurn();
    }
  }
}
