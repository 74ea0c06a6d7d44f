import type { FaultKind, SkippedRecord } from "../sources/index.ts";
import type { Store } from "../store/index.ts";
import { readSyncs } from "../store/tables/index.ts";

/** How a sync of a source went, as it is stored and as `--json` prints it. */
export interface SyncReport {
  source: string;
  /** RFC 3339 */
  started_at: string;
  seconds: number;
  /**
   * `done`; `gave_up` if the source, or a part of it, failed at every attempt; `stopped` if a signal stopped the sync.
   * Models listed until then are in the inventory, and the next sync continues from there.
   */
  outcome: "done" | "gave_up" | "stopped";
  /** Why it gave up. */
  error?: string;
  /** Whether it continued an earlier sync that stopped. */
  resumed: boolean;
  /** Whether the source listed everything, so that a model that was not listed is gone. */
  complete: boolean;
  /** Models that the source listed. Those that are new or changed were written. */
  listed: number;
  added: number;
  changed: number;
  unchanged: number;
  /** Models that the source no longer has. They leave the results after a grace period. */
  vanished: number;
  /** Models that had vanished and are back. */
  returned: number;
  /** Models removed from the inventory: no source has had them for longer than the grace period. */
  removed: number;
  /** Records that are not models. */
  skipped: number;
  /** The first skipped records. */
  skips: SkippedRecord[];
  /** Faults of the source's server that a retry overcame. */
  faults: number;
  faults_by_kind: { [K in FaultKind]?: number };
  /** Cards and other details of models that could not be read. */
  details_lost: number;
}

/** The last sync of a source. */
export interface LastSync {
  report: SyncReport;
  /** Milliseconds since 1970. */
  endedAt: number;
  /** When the last successful one ended; undefined if there is none. */
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
