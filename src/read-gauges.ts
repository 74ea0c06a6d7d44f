import type { Inventory } from "./inventory/inventory.ts";
import type { Gauges } from "./observe/telemetry.ts";
import type { Readiness } from "./rpc/call/ready.ts";
import type { Store } from "./store/store.ts";
import { countUnfinished } from "./store/tables/batches.ts";
import { readBacklog } from "./store/tables/deliveries.ts";
import { lastSyncs } from "./sync/sync-report.ts";

/** What figures are read from. */
export interface GaugeSources {
  readiness: Readiness;
  /** The inventory that serves, once it is open. */
  inventory: () => Inventory | undefined;
  /** The state, once it is open. */
  store: () => Store | undefined;
}

/** Reads how the service stands. What cannot be read is left out. */
export function gaugeReader({ readiness, inventory, store }: GaugeSources): () => Promise<Gauges> {
  /** When a version of a table was written; the list of all versions is long to read. */
  let written: { table: Inventory["table"]; version: number; at: number } | undefined;

  async function writtenAt({ table }: Inventory): Promise<number> {
    const version = await table.version();
    if (written?.table !== table || written.version !== version) {
      const last = (await table.listVersions()).find((each) => each.version === version);
      written = { table, version, at: last?.timestamp.getTime() ?? Date.now() };
    }
    return written.at;
  }

  async function readInventory(): Promise<Gauges["inventory"]> {
    const opened = inventory();
    if (opened === undefined) return undefined;
    const [models, at] = await Promise.all([opened.size(), writtenAt(opened)]);
    return { models, writtenAt: at, cachedBytes: opened.database.cachedBytes() };
  }

  async function readSyncs(): Promise<Gauges["syncs"]> {
    const opened = store();
    const syncs = opened === undefined ? [] : await lastSyncs(opened);
    return syncs.map(({ report, endedAt, succeededAt }) => {
      const { source, outcome, seconds, faults, added, changed, unchanged, vanished, returned, removed, skipped } =
        report;
      const models = { added, changed, unchanged, vanished, returned, removed, skipped };
      return { source, outcome, endedAt, succeededAt, seconds, faults, models };
    });
  }

  async function readBatches(): Promise<number | undefined> {
    const opened = store();
    return opened === undefined ? undefined : countUnfinished(opened.db);
  }

  async function readDeliveries(): Promise<Gauges["deliveries"]> {
    const opened = store();
    return opened === undefined ? undefined : readBacklog(opened.db, Date.now());
  }

  return async () => {
    const [waitingFor, models, syncs, unfinishedBatches, deliveries] = await Promise.all([
      readiness.waitingFor(),
      readInventory().catch(() => undefined),
      readSyncs().catch(() => []),
      readBatches().catch(() => undefined),
      readDeliveries().catch(() => undefined),
    ]);
    return { isReady: waitingFor === undefined, inventory: models, syncs, unfinishedBatches, deliveries };
  };
}
