import type { Connection } from "@lancedb/lancedb";
import { tableNames } from "./table.ts";
import { tableFault } from "./table-fault.ts";

const TABLE = "identity";

/**
 * Which inventory this is: a random id that is made once and stays through rebuilds, in a LanceDB table of one row, so
 * that it works on object storage too. The state remembers it (see known-inventory.ts).
 */
export class InventoryIdentity {
  readonly #db: Connection;

  constructor(db: Connection) {
    this.#db = db;
  }

  /** The id; undefined where there is none or it cannot be read. */
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

  /** Writes an id where there is none. For the only writer. */
  async write(id: string): Promise<void> {
    // What cannot be read cannot be overwritten either.
    if ((await tableNames(this.#db)).includes(TABLE)) {
      await this.#db.dropTable(TABLE);
    }
    (await this.#db.createTable(TABLE, [{ id }])).close();
  }
}
