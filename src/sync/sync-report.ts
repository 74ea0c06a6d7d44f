import type { FaultKind, SkippedRecord } from "../sources/index.ts";
import type { Store } from "../store/index.ts";
import { readSyncs } from "../store/tables/index.ts";

/** How a sync of a source went, as it is kept and as `--json` prints it. */
export interface SyncReport {
  source: string;
  /** RFC 3339 */
  started_at: string;
  seconds: number;
  /**
   * `done`; `gave_up` when the source, or a part of it, could not be had however often it was asked; `stopped` when it
   * was told to. What was listed until then is in the inventory, and the next sync goes on from there.
   */
  outcome: "done" | "gave_up" | "stopped";
  /** Why it gave up. */
  error?: string;
  /** Whether it went on where an earlier one had stopped. */
  resumed: boolean;
  /** Whether all that the source has was listed, so that what was not is gone. */
  complete: boolean;
  /** Models that the source told and that are written, where they are new or changed. */
  listed: number;
  added: number;
  changed: number;
  unchanged: number;
  /** Models that the source had and has no longer. They leave the results after a grace period. */
  vanished: number;
  /** Models that were gone and are back. */
  returned: number;
  /** Models that left the inventory, gone everywhere for longer than the grace period. */
  removed: number;
  /** Records that were no model. */
  skipped: number;
  /** The first of them. */
  skips: SkippedRecord[];
  /** Faults of the source's server that were got over by asking again. */
  faults: number;
  faults_by_kind: { [K in FaultKind]?: number };
  /** Cards and other details of models that could not be had. */
  details_lost: number;
}

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
