import type { Connection, Table } from "@lancedb/lancedb";
import { Field, Float64, Schema, Utf8 } from "apache-arrow";
import { keyIn } from "./filter.ts";
import { tableNames } from "./table.ts";

/** A model that left the inventory. */
export interface Removal {
  key: string;
  /** Number of the write that removed it, counted with those of rows. */
  change: number;
}

const TABLE = "removals";

/** What LanceDB says of a table without a version. */
const NOT_THERE = /was not found/;

const schema = new Schema([new Field("key", new Utf8(), false), new Field("change", new Float64(), false)]);

/**
 * Which models left the inventory, and when: a table beside that of the models, so that nothing that reads models has
 * to leave them out.
 *
 * A removal is written here first and then carried out, each in one step. A process that is killed between leaves
 * models that are noted as removed; the next writer removes them before it writes anything else.
 */
export class Removals {
  readonly #db: Connection;
  #table: Table | undefined;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** Number of the last removal; 0 before the first. What other processes wrote is seen. */
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

  /** The removals behind a number, in their order, at most `limit`. What other processes wrote is seen. */
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

  /** Notes removals. Of a model that left before, the new one replaces the old. For the only writer. */
  async note(removals: readonly Removal[]): Promise<void> {
    this.#table ??= await this.#db.createEmptyTable(TABLE, schema, { mode: "create", existOk: true });
    await this.#table
      .mergeInsert("key")
      .whenMatchedUpdateAll()
      .whenNotMatchedInsertAll()
      .execute(removals.map(({ key, change }) => ({ key, change })));
  }

  /** The table as it is now; undefined while nothing was ever removed. */
  async #open(): Promise<Table | undefined> {
    if (this.#table !== undefined) {
      await this.#table.checkoutLatest();
    } else if ((await tableNames(this.#db)).includes(TABLE)) {
      this.#table = await this.#openListed();
    }
    return this.#table;
  }

  /** The table, once its first version is there: while somebody makes it, its folder is listed and nothing is noted. */
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

/** Removes those models of a table that were noted as removed and are still there, as after a kill. */
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
