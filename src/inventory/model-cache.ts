import type { Table } from "@lancedb/lancedb";
import { quote } from "./filter.ts";
import type { Model } from "./model.ts";

/** A model with the vector of its search text. */
export interface IndexedModel {
  model: Model;
  vector: Float32Array;
}

/**
 * Where a row lies: a file of the table and the place in it, both never used again. A row that is written anew or moved
 * lies elsewhere, so what was read from a place holds for ever.
 */
export type RowId = bigint;

/** Models kept parsed in memory: about 5 kB each. */
const CACHED_MODELS = 20_000;

interface Row {
  _rowid: RowId;
  key: string;
  entry: string;
  vector: { toArray(): Float32Array };
}

const columns = ["_rowid", "key", "entry", "vector"];

/** The models of a table. Those read lately come from memory, whatever was written meanwhile. */
export class ModelCache {
  readonly #table: Table;
  /** Those used longest ago first. */
  readonly #byRow = new Map<RowId, IndexedModel>();

  constructor(table: Table) {
    this.#table = table;
  }

  /** The models of rows, in their order; without those that were written anew, moved or removed since they were found. */
  async read(rows: readonly RowId[]): Promise<IndexedModel[]> {
    // Collected apart: another call may push models out while this one reads the table.
    const found = new Map<RowId, IndexedModel>();
    const missing: RowId[] = [];
    for (const id of rows) {
      const known = this.#byRow.get(id);
      if (known === undefined) missing.push(id);
      else found.set(id, this.#keep(id, known));
    }
    if (missing.length > 0) {
      const read: Row[] = await this.#table.takeRowIds(missing).select(columns).toArray();
      for (const row of read) found.set(row._rowid, this.#keep(row._rowid, parse(row)));
    }
    return rows.map((id) => found.get(id)).filter((model) => model !== undefined);
  }

  /** The models of keys that exist, in the order of the keys. */
  async load(keys: readonly string[]): Promise<IndexedModel[]> {
    if (keys.length === 0) return [];
    const condition =
      keys.length === 1 ? `key = ${quote(keys[0] as string)}` : `key IN (${keys.map(quote).join(", ")})`;
    const rows: Row[] = await this.#table.query().where(condition).select(columns).toArray();
    const found = new Map(
      rows.map((row) => [row.key, this.#keep(row._rowid, this.#byRow.get(row._rowid) ?? parse(row))]),
    );
    return keys.map((key) => found.get(key)).filter((model) => model !== undefined);
  }

  /** Keeps a model as the one used last. */
  #keep(id: RowId, model: IndexedModel): IndexedModel {
    this.#byRow.delete(id);
    this.#byRow.set(id, model);
    if (this.#byRow.size > CACHED_MODELS) this.#byRow.delete(this.#byRow.keys().next().value as RowId);
    return model;
  }
}

function parse({ entry, vector }: Row): IndexedModel {
  return { model: JSON.parse(entry), vector: vector.toArray() };
}
