import type { Connection, Table } from "@lancedb/lancedb";
import { Field, Float64, Int32, Schema, Utf8 } from "apache-arrow";
import { tableNames } from "./table.ts";
import { keptVersionsFrom } from "./table-health.ts";

/** A table of models: what it is for, and what made it. */
export interface Generation {
  /** Name of the LanceDB table. */
  table: string;
  /** One serves. One may be building, to take its place. Retired ones are dropped when nobody can be reading them. */
  state: "serving" | "building" | "retired";
  /** Version of its columns (schema.ts). */
  schema: number;
  /** What MODELSCOUT_ENCODER names: `bundled`, a model id or an absolute folder; empty where nobody knows. */
  encoder: string;
  /** The id of the encoder that made its vectors, with its version. */
  encoderId: string;
  dimensions: number;
  /** Why it is built: for another encoder, with columns carried over, or all anew from what the sources told. */
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
 * Which tables of models there are and which of them serves: a LanceDB table of a few rows, so that it works on object
 * storage too. All rows are replaced at once, which happens whole or not at all, however the process ends.
 */
export class Generations {
  readonly #db: Connection;
  #table: Table | undefined;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** All of them; none where nothing was ever written. `fresh` asks the storage, else they may be a second old. */
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

  /** The version of the table that they are in, which counts up with every change; 0 where there is none. */
  async version(): Promise<number> {
    await this.list();
    return (await this.#table?.version()) ?? 0;
  }

  /** Drops the table that they are in, where there is one. For the only writer. */
  async drop(): Promise<void> {
    this.#table = undefined;
    if ((await tableNames(this.#db)).includes(TABLE)) {
      await this.#db.dropTable(TABLE);
    }
  }

  /** Replaces all of them. For the only writer. */
  async save(generations: readonly Generation[]): Promise<void> {
    this.#table ??= await this.#db.createEmptyTable(TABLE, schema, { mode: "create", existOk: true });
    const rows = generations.map(({ encoderId, ...row }) => ({ ...row, encoder_id: encoderId }));
    await this.#table.add(rows, { mode: "overwrite" });
    await this.#table.optimize({ cleanupOlderThan: await keptVersionsFrom(this.#table) });
  }
}
