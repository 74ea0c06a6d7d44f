import type { Table } from "@lancedb/lancedb";
import { createYieldToEventLoop } from "../../pace/index.ts";
import type { Model } from "../facts/model.ts";
import { releasedAt } from "../facts/release-dates.ts";
import type { RowState, SourceFacts } from "../facts/source-facts.ts";
import { filterColumns, keyIn } from "./filter.ts";

/** A model as a row of the table (see schema.ts). */
export function modelRow(model: Model, text: string, vector: Float32Array, state: RowState): Record<string, unknown> {
  return { ...modelColumns(model, text, vector), ...stateColumns(state) };
}

/** The columns of a row for the model. */
export function modelColumns(model: Model, text: string, vector: Float32Array): Record<string, unknown> {
  return {
    key: model.key,
    family: model.family,
    labels: model.labels,
    ...filterColumns(model),
    downloads: model.downloads ?? 0,
    size_gb: model.sizeGb ?? null,
    updated_at: model.updatedAt ?? null,
    released_at: releasedAt(model) ?? null,
    repackages: model.repackaging ? (model.baseModel?.toLowerCase() ?? null) : null,
    entry: JSON.stringify(model),
    text,
    vector,
  };
}

/** The columns of a row for the sources and the changes of its model. */
export function stateColumns(state: RowState): Record<string, unknown> {
  return {
    sources: [...new Set(state.facts.map((facts) => facts.source))],
    records: JSON.stringify(state.facts),
    digest: state.digest,
    change: state.change,
    facts_change: state.factsChange,
    added_change: state.addedChange,
    initial: state.initial,
    past: state.past.length > 0 ? JSON.stringify(state.past) : null,
    vanished_at: vanishedAt(state.facts) ?? null,
  };
}

/** When a source was first found without the model; undefined while all sources have it. */
function vanishedAt(facts: readonly SourceFacts[]): number | undefined {
  const times = facts.map(({ goneAt }) => goneAt).filter((time) => time !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** A row with all that a later write of it needs. */
export interface StoredRow extends RowState {
  key: string;
  text: string;
  /** The vector of the text. */
  vector: Float32Array;
}

/** The most keys of one condition, which LanceDB parses and plans as a whole. */
const KEYS_A_QUERY = 5_000;

/** Reads the digests of the models that the table has, by key. */
export async function readDigests(table: Table, keys: readonly string[]): Promise<Map<string, string>> {
  const digests = new Map<string, string>();
  for await (const row of rowsOf(table, keys, ["key", "digest"])) {
    digests.set(row.key, row.digest);
  }
  return digests;
}

/** Reads the rows of the models that the table has, by key. */
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
      facts: JSON.parse(row.records),
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
  const yieldToEventLoop = createYieldToEventLoop();
  for (let i = 0; i < keys.length; i += KEYS_A_QUERY) {
    const condition = keyIn(keys.slice(i, i + KEYS_A_QUERY));
    const rows = await table.query().where(condition).select(columns).toArray();
    for (const row of rows) {
      yield row;
      await yieldToEventLoop();
    }
  }
}

/** Reads the numbers of all changes after one, ascending; eight bytes for each row. */
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
