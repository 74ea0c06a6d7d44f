import type { Connection, Table } from "@lancedb/lancedb";
import { Field, Float64, Schema, Utf8 } from "./arrow.ts";
import { keyIn } from "./filter.ts";
import { tableNames } from "./table.ts";

/** A model that left the inventory. */
export interface Removal {
  key: string;
  /** Number of the write that removed it; removals and rows share one sequence. */
  change: number;
}

const TABLE = "removals";

/** LanceDB's error for a table without a version. */
const NOT_THERE = /was not found/;

const schema = new Schema([new Field("key", new Utf8(), false), new Field("change", new Float64(), false)]);

/**
 * The models that left the inventory, with the numbers of the writes. They are in a separate table, so that no reader
 * of models has to skip them.
 *
 * A removal is noted here first and then carried out, each in one atomic step. If a process is killed between the
 * steps, the next writer carries out the noted removals before it writes anything else.
 */
export class Removals {
  readonly #db: Connection;
  #table: Table | undefined;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Number of the last removal, by any process; 0 before the first. */
  async latest(): Promise<number> {
    const table = await this.#open();
    const last = await table
      ?.query()
      .select(["change"])
      .orderBy({ columnName: "change", ascending: false })
      .limit(1)
      .toArray();
    return last?.[0]?.change ?? 0;
  }

  /** The version of the table that they are in, which counts up with every change; 0 where there is none. */
  async version(): Promise<number> {
    return (await (await this.#open())?.version()) ?? 0;
  }

  /** The removals after a number by any process, in their order, at most `limit`. */
  async after(change: number, limit?: number): Promise<Removal[]> {
    const table = await this.#open();
    if (table === undefined) {
      return [];
    }
    const query = table
      .query()
      .where(`change > ${change}`)
      .select(["key", "change"])
      .orderBy({ columnName: "change", ascending: true });
    const rows = await (limit === undefined ? query : query.limit(limit)).toArray();
    return rows.map(({ key, change }) => ({ key, change }));
  }

  /** Notes removals. An earlier removal of the same model is replaced. Call it under the write lock. */
  async note(removals: readonly Removal[]): Promise<void> {
    this.#table ??= await this.#db.createEmptyTable(TABLE, schema, { mode: "create", existOk: true });
    await this.#table
      .mergeInsert("key")
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .execute(removals.map(({ key, change }) => ({ key, change })));
  }

  /** Opens the newest version of the table; undefined before the first removal. */
  async #open(): Promise<Table | undefined> {
    if (this.#table !== undefined) {
      await this.#table.checkoutLatest();
    } else if ((await tableNames(this.#db)).includes(TABLE)) {
      this.#table = await this.#openListed();
    }
    return this.#table;
  }

  /** Opens the table; undefined while another process creates it: then its folder is listed, but has no version. */
  async #openListed(): Promise<Table | undefined> {
    try {
      return await this.#db.openTable(TABLE);
    } catch (error) {
      if (error instanceof Error && NOT_THERE.test(error.message)) {
        return undefined;
      }
      throw error;
    }
  }

  close(): void {
    this.#table?.close();
  }
}

/** Removes models that were noted as removed but are still in the table, as after a kill. */
export async function carryOutRemovals(table: Table, removals: readonly Removal[]): Promise<void> {
  for (let i = 0; i < removals.length; i += KEYS_A_STEP) {
    const step = removals.slice(i, i + KEYS_A_STEP);
    const condition = keyIn(step.map(({ key }) => key));
    if ((await table.countRows(condition)) > 0) {
      await table.delete(condition);
    }
  }
}

const KEYS_A_STEP = 5_000;
