import type { SourceName } from "../config/source-names.ts";
import type { InventoryDatabase } from "../inventory/index.ts";
import type { Store } from "../store/index.ts";
import { saveSync } from "../store/tables/index.ts";
import { createSource, type SourceBounds, type SourceSettings } from "./create-source.ts";
import type { SyncReport } from "./sync-report.ts";
import { type SyncSourceOptions, syncSource } from "./sync-source.ts";

/** Dependencies of syncs. */
export interface SyncContext {
  database: InventoryDatabase;
  /** Keeps the reports. */
  store: Store;
  settings: SourceSettings;
  /** Runs a sync inside something of this name, such as a trace. */
  within?: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Syncs a source by its name, and stores the report for `lastSyncs`.
 *
 * @throws ServiceError SYNC_RUNNING if the source is already being synced; errors of the inventory and the store.
 */
export async function runSync(
  { database, store, settings, within = (_name, work) => work() }: SyncContext,
  name: SourceName,
  options: SyncSourceOptions & SourceBounds = {},
): Promise<SyncReport> {
  const { limit, cards, ...rest } = options;
  const { source, close } = createSource(name, settings, { limit, cards });
  try {
    const report = await within(`sync ${name}`, () => syncSource(database, source, rest));
    await saveSync(store.db, {
      source: name,
      endedAt: Date.now(),
      report: JSON.stringify(report),
      succeeded: report.outcome === "done",
    });
    return report;
  } finally {
    close();
  }
}
