import { setTimeout as sleep } from "node:timers/promises";
import type { Table } from "@lancedb/lancedb";

/** What LanceDB says of closing a table that a call still reads. */
const IN_USE = /borrow/;
const LOOK_AGAIN_MS = 10;

/** Frees a table as soon as the calls that read it have ended: LanceDB refuses to before. */
export async function closeTable(table: Pick<Table, "close">): Promise<void> {
  for (;;) {
    try {
      return table.close();
    } catch (error) {
      if (!(error instanceof Error && IN_USE.test(error.message))) throw error;
      await sleep(LOOK_AGAIN_MS);
    }
  }
}
