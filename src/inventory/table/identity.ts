import type { Connection } from "@lancedb/lancedb";
import { tableNames } from "./table.ts";
import { tableFault } from "./table-fault.ts";

const TABLE = "identity";

/**
 * The id of the inventory: random, created once, and kept through rebuilds. It is in a LanceDB table of one row, so it
 * works on object storage too. The state stores it as well (see known-inventory.ts).
 */
export class InventoryIdentity {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The id; undefined if there is none or it cannot be read. */
  async read(): Promise<string | undefined> {
    if (!(await tableNames(this.#db)).includes(TABLE)) {
      return undefined;
    }
    try {
      const table = await this.#db.openTable(TABLE);
      const [row] = await table.query().limit(1).toArray();
      table.close();
      return row?.id;
    } catch (error) {
      if (tableFault(error) === "damaged") {
        return undefined;
      }
      throw error;
    }
  }

  /** Writes an id if there is none. Call it under the write lock. */
  async write(id: string): Promise<void> {
    // An unreadable table cannot be overwritten either.
    if ((await tableNames(this.#db)).includes(TABLE)) {
      await this.#db.dropTable(TABLE);
    }
    (await this.#db.createTable(TABLE, [{ id }])).close();
  }
}
