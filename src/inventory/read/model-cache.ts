import type { Table } from "@lancedb/lancedb";
import { ArrayPacker } from "../../embedding/index.ts";
import { createYieldToEventLoop } from "../../pace/index.ts";
import { StringPool } from "../../text/index.ts";
import type { Model } from "../facts/model.ts";
import { keyIn, quote } from "../table/filter.ts";
import type { ReadableTable } from "./table-view.ts";

/** A model with the vector of its search text. */
export interface IndexedModel {
  model: Model;
  vector: Float32Array;
}

/**
 * The place of a row: a file of the table and the row's position in it. Places are never used again, and a row that is
 * rewritten or moved gets another one. So what was read from a place never becomes stale.
 */
export type RowId = bigint;

/** The most parsed models in memory, about 5 kB each. */
const CACHED_MODELS = 20_000;
/** So many of them, those not used for the longest time, make room together: finding them takes a sort of all. */
const EVICTED_AT_ONCE = 1_000;
/** The most recently used models that are read again when a new version has them in other places. */
const WARMED_MODELS = 3_000;
/** Models read at a time to warm up. */
const WARMED_AT_ONCE = 100;

interface Kept extends IndexedModel {
  /** Number of the row's last write (see RowState). */
  change: number;
  /** The number of its last use. */
  used: number;
}

interface Row {
  _rowid: RowId;
  key: string;
  change: number;
  entry: string;
  vector: { toArray(): Float32Array };
}

const columns = ["_rowid", "key", "change", "entry", "vector"];

/** The models of a table. Recently read models come from memory, also after writes to other models. */
export class ModelCache {
  readonly #table: ReadableTable;
  readonly #byRow = new Map<RowId, Kept>();
  /** Counts the reads. */
  #uses = 0;

  constructor(table: ReadableTable) {
    this.#table = table;
  }

  /**
   * The models of rows, in their order, without rows that were rewritten, moved or removed since they were found. A row may be
   * among them more than once.
   */
  async read(rows: readonly RowId[]): Promise<IndexedModel[]> {
    // Apart from the cache, because another call may evict models from it while this one reads the table.
    const found: Array<Kept | undefined> = rows.map((id) => this.#byRow.get(id));
    const missing = rows.filter((_, i) => found[i] === undefined);
    if (missing.length > 0) {
      const read: Row[] = await this.#table
        .takeRowIds([...new Set(missing)])
        .select(columns)
        .toArray();
      const added = new Map(read.map((row) => [row._rowid, this.#add(row._rowid, parse(row))]));
      for (const [i, id] of rows.entries()) {
        found[i] ??= added.get(id);
      }
    }
    const models = found.filter((model) => model !== undefined);
    const use = ++this.#uses;
    for (const model of models) {
      model.used = use;
    }
    return models;
  }

  /** The models of keys that exist, in the order of the keys. */
  async load(keys: readonly string[]): Promise<IndexedModel[]> {
    if (keys.length === 0) {
      return [];
    }
    const condition = keys.length === 1 ? `key = ${quote(keys[0] as string)}` : keyIn(keys);
    const rows: Row[] = await this.#table.query().where(condition).select(columns).toArray();
    const found = new Map(
      rows.map((row) => [row.key, this.#add(row._rowid, this.#byRow.get(row._rowid) ?? parse(row))]),
    );
    return keys.map((key) => found.get(key)).filter((model) => model !== undefined);
  }

  /**
   * Looks up the last used models in another version of the table, so that reads of that version find them in memory.
   */
  async warm(next: Table): Promise<void> {
    const lastUsed = [...this.#byRow.values()].sort((a, b) => a.used - b.used).slice(-WARMED_MODELS);
    const models = new Map(lastUsed.map((kept) => [kept.model.key, kept]));
    const keys = [...models.keys()];
    const yieldToEventLoop = createYieldToEventLoop();
    for (let i = 0; i < keys.length; i += WARMED_AT_ONCE) {
      const places: Array<Pick<Row, "_rowid" | "key" | "change">> = await next
        .query()
        .where(keyIn(keys.slice(i, i + WARMED_AT_ONCE)))
        .select(["_rowid", "key", "change"])
        .toArray();
      const written: RowId[] = [];
      for (const { _rowid: id, key, change } of places) {
        const kept = models.get(key) as Kept;
        // The row was only moved.
        if (this.#byRow.has(id) || kept.change === change) {
          this.#add(id, this.#byRow.get(id) ?? kept);
        } else {
          written.push(id);
        }
      }
      if (written.length === 0) {
        continue;
      }
      const rows: Row[] = await next.takeRowIds(written).select(columns).toArray();
      for (const row of rows) {
        this.#add(row._rowid, parse(row));
        await yieldToEventLoop();
      }
    }
  }

  /** Keeps a model as the most recently used. */
  #add(id: RowId, model: Kept): Kept {
    model.used = ++this.#uses;
    this.#byRow.set(id, model);
    if (this.#byRow.size > CACHED_MODELS) {
      const byUse = [...this.#byRow].sort(([, a], [, b]) => a.used - b.used);
      for (const [evicted] of byUse.slice(0, EVICTED_AT_ONCE)) {
        this.#byRow.delete(evicted);
      }
    }
    return model;
  }
}

/** Models have many dates, licenses and origins of facts in common: shared, they save a tenth of V8's heap. */
const strings = new StringPool();
const vectors = new ArrayPacker<Float32Array>(Float32Array);

function parse({ entry, vector, change }: Row): Kept {
  // A copy: the vector shares the memory of all rows that were read with it.
  return { model: strings.parse(entry) as Model, vector: vectors.pack(vector.toArray()), change, used: 0 };
}
