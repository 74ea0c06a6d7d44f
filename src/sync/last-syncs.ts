import type { Store } from "../store/store.ts";
import { readSyncs } from "../store/tables/syncs.ts";
import type { SyncReport } from "./sync-report.ts";

/** The last sync of a source. */
export interface LastSync {
  report: SyncReport;
  /** Milliseconds since 1970. */
  endedAt: number;
  /** When one last ended as it should; undefined for never. */
  succeededAt: number | undefined;
}

/** The last sync of every source that was ever synced, by the source's name. */
export async function lastSyncs(store: Store): Promise<LastSync[]> {
  return (await readSyncs(store.db)).map(({ report, endedAt, succeededAt }) => ({
    report: JSON.parse(report) as SyncReport,
    endedAt,
    succeededAt,
  }));
}
