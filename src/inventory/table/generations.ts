import type { Connection, Table } from "@lancedb/lancedb";
import { Field, Float64, Int32, Schema, Utf8 } from "./arrow.ts";
import { tableNames } from "./table.ts";
import { keptVersionsFrom } from "./table-health.ts";

/** A table of models: its state and its origin. */
export interface Generation {
  /** Name of the LanceDB table. */
  table: string;
  /** One serves. One may be building, to replace it. Retired ones are dropped when no process reads them any more. */
  state: "serving" | "building" | "retired";
  /** Version of its columns (schema.ts). */
  schema: number;
  /** The value of MODELSCOUT_ENCODER: `bundled`, a model id or an absolute folder; empty if unknown. */
  encoder: string;
  /** The id of the encoder that made its vectors, with its version. */
  encoderId: string;
  dimensions: number;
  /** How it is built: as the first table, for another encoder with copied columns, or from the facts of the sources. */
  built: "first" | "encoder" | "anew";
  /** Since when it is in this state, in milliseconds since 1970. */
  since: number;
}

const TABLE = "generations";

const schema = new Schema([
  new Field("table", new Utf8(), false),
  new Field("state", new Utf8(), false),
  new Field("schema", new Int32(), false),
  new Field("encoder", new Utf8(), false),
  new Field("encoder_id", new Utf8(), false),
  new Field("dimensions", new Int32(), false),
  new Field("built", new Utf8(), false),
  new Field("since", new Float64(), false),
]);

/**
 * The list of the tables of models, which says which one serves. It is a LanceDB table of a few rows, so it works on
 * object storage too. A change replaces all rows in one atomic step.
 */
export class Generations {
  readonly #db: Connection;
  #table: Table | undefined;

  constructor(db: Connection) {
    this.#db = db;
  }

  /**
   * All generations; none before the first write. With `fresh` it asks the storage, else the list may be a second old.
   */
  async list({ fresh = false } = {}): Promise<Generation[]> {
    if (this.#table === undefined) {
      if (!(await tableNames(this.#db)).includes(TABLE)) {
        return [];
      }
      this.#table = await this.#db.openTable(TABLE);
    }
    if (fresh) {
      await this.#table.checkoutLatest();
    }
    const rows = await this.#table.query().toArray();
    return rows.map(({ encoder_id: encoderId, ...row }) => ({ ...row, encoderId }) as Generation);
  }

  /** The version of the list, which grows with each change; 0 if there is no list. */
  async version(): Promise<number> {
    await this.list();
    return (await this.#table?.version()) ?? 0;
  }

  /** Drops the list, if there is one. Call it under the write lock. */
  async drop(): Promise<void> {
    this.#table = undefined;
    if ((await tableNames(this.#db)).includes(TABLE)) {
      await this.#db.dropTable(TABLE);
    }
  }

  /** Replaces the list. Call it under the write lock. */
  async save(generations: readonly Generation[]): Promise<void> {
    this.#table ??= await this.#db.createEmptyTable(TABLE, schema, { mode: "create", existOk: true });
    const rows = generations.map(({ encoderId, ...row }) => ({ ...row, encoder_id: encoderId }));
    await this.#table.add(rows, { mode: "overwrite" });
    await this.#table.optimize({ cleanupOlderThan: await keptVersionsFrom(this.#table) });
  }
}
