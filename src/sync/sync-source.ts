import { beginSync, type InventoryDatabase, type SourceRecord, type SyncSession } from "../inventory/index.ts";
import { type SkippedRecord, type Source, SourceError, type SourceFault } from "../sources/index.ts";
import type { SyncReport } from "./sync-report.ts";

/** Progress of a sync. */
export interface SyncProgress {
  listed: number;
  /** The final value of `listed`, if the source reports one. */
  total: number | undefined;
  faults: number;
  /** `finishing` after the last model is listed: vanished models are marked and the indexes updated. */
  phase: "listing" | "finishing";
}

/** How a source is synced. */
export interface SyncSourceOptions {
  /** Stops the sync; what was written stays. */
  signal?: AbortSignal;
  /** Called often. */
  onProgress?: (progress: SyncProgress) => void;
  onSkip?: (skipped: SkippedRecord) => void;
  /** Called for every fault that is retried, before the wait. */
  onFault?: (fault: SourceFault) => void;
  /** Called for each part that could not be read, such as a page or a card. */
  onLoss?: (problem: string) => void;
}

/**
 * Models written at a time, doubled with each write. The first write comes soon, so that a crash costs little; later
 * ones are large, because in a large table a write of a page costs about as much as one of thousands.
 */
const BATCH = { first: 500, most: 4_000 };
/** Records of a slow source are written after this time at the latest, so that a crash costs no more. */
const MOST_UNWRITTEN_MS = 10_000;
/** Skipped records in a report. */
const MOST_SKIPS = 20;
/** Unlisted models that a source is asked for one by one. */
const MOST_CONFIRMED = 300;

/**
 * Syncs a source into the inventory: it merges what the source lists, writes only what changed, and marks what the
 * source no longer has. If the source fails half-way or a signal stops the sync, what was listed is kept, and the next
 * sync of the source continues from there.
 *
 * @throws ServiceError SYNC_RUNNING if the source is already being synced; errors of the inventory.
 */
export async function syncSource(
  database: InventoryDatabase,
  source: Source,
  options: SyncSourceOptions = {},
): Promise<SyncReport> {
  const { signal } = options;
  const began = performance.now();
  const report: SyncReport = {
    source: source.name,
    started_at: new Date().toISOString(),
    seconds: 0,
    outcome: "done",
    resumed: false,
    complete: false,
    listed: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    vanished: 0,
    returned: 0,
    removed: 0,
    skipped: 0,
    skips: [],
    faults: 0,
    faults_by_kind: {},
    details_lost: 0,
  };
  const finishing = new AbortController();
  const session = await beginSync(database, { source: source.name, signal: finishing.signal });
  report.resumed = session.resume !== undefined;
  try {
    await list(session, source, report, options);
    // If the signal stopped the listing, the listed models have been written by now.
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => finishing.abort(signal.reason), { once: true });
    await finish(session, source, report, options);
    report.outcome = report.error === undefined ? "done" : "gave_up";
  } catch (error) {
    await session.close();
    if (signal?.aborted) {
      report.outcome = "stopped";
    } else if (error instanceof SourceError) {
      Object.assign(report, { outcome: "gave_up", error: error.message });
    } else {
      throw error;
    }
  }
  report.seconds = Number(((performance.now() - began) / 1_000).toFixed(3));
  return report;
}

/**
 * Lists and writes. If an error ends the listing, it is thrown after the listed models were written and the place was
 * stored.
 */
async function list(
  session: SyncSession,
  source: Source,
  report: SyncReport,
  { signal, onProgress, onSkip, onFault, onLoss }: SyncSourceOptions,
): Promise<void> {
  let total: number | undefined;
  // Higher than the report's: it also counts models that are listed but not yet written.
  let listed = 0;
  let batch: SourceRecord[] = [];
  let enough = BATCH.first;
  let writtenAt = performance.now();
  /** Where a later sync continues once the batch is written. */
  let place: string | undefined;
  const show = () => onProgress?.({ listed, total, faults: report.faults, phase: "listing" });
  const write = async () => {
    if (batch.length > 0) {
      const { added, changed, unchanged } = await session.write(batch);
      report.listed += batch.length;
      report.added += added;
      report.changed += changed;
      report.unchanged += unchanged;
      batch = [];
      enough = Math.min(2 * enough, BATCH.most);
    }
    if (place !== undefined) {
      await session.saveCursor(place);
    }
    place = undefined;
    writtenAt = performance.now();
  };
  const listing = source.list({
    cursor: session.resume,
    signal,
    onSkip(raw) {
      const skipped = { name: shortened(raw.name), reason: shortened(raw.reason) };
      if (++report.skipped <= MOST_SKIPS) {
        report.skips.push(skipped);
      }
      onSkip?.(skipped);
    },
    onFault(fault) {
      countFault(report, fault);
      onFault?.(fault);
      show();
    },
    onGap(text) {
      const problem = shortened(text);
      report.error ??= problem;
      onLoss?.(problem);
    },
    onDetailLost(text) {
      const problem = shortened(text);
      report.details_lost++;
      onLoss?.(problem);
    },
    onTotal(expected) {
      total = expected;
      show();
    },
    async onCheckpoint(cursor) {
      place = cursor;
      // The source of leaderboards reads all of them before its first record. While no models wait, storing a place
      // costs next to nothing.
      if (batch.length === 0 || batch.length >= enough || performance.now() - writtenAt >= MOST_UNWRITTEN_MS) {
        await write();
      }
    },
  });
  try {
    for (;;) {
      const next = await listing.next();
      signal?.throwIfAborted();
      if (next.done) {
        report.complete = next.value.complete && report.error === undefined;
        break;
      }
      batch.push(next.value);
      listed++;
      // For a source that gives no checkpoints.
      if (batch.length >= BATCH.most) {
        await write();
      }
      show();
    }
  } catch (error) {
    // What a source listed before it failed or was stopped is valid.
    if (error instanceof SourceError || signal?.aborted) {
      await write();
    }
    throw error;
  }
  await write();
  onProgress?.({ listed, total, faults: report.faults, phase: "finishing" });
}

async function finish(
  session: SyncSession,
  { confirmGone }: Source,
  report: SyncReport,
  { signal, onFault }: SyncSourceOptions,
): Promise<void> {
  const count = (fault: SourceFault) => {
    countFault(report, fault);
    onFault?.(fault);
  };
  const { vanished, returned, removed } = await session.finish({
    complete: report.complete,
    confirmLimit: MOST_CONFIRMED,
    ...(confirmGone && { confirmGone: (names) => confirmGone(names, { signal, onFault: count }) }),
  });
  Object.assign(report, { vanished, returned, removed });
}

function countFault(report: SyncReport, { kind }: SourceFault): void {
  report.faults++;
  report.faults_by_kind[kind] = (report.faults_by_kind[kind] ?? 0) + 1;
}

/** Sources pass on names and texts of any length from others; these end up in reports, logs and terminals. */
const MOST_TEXT_CHARS = 500;

function shortened(text: string): string {
  return text.length > MOST_TEXT_CHARS ? `${text.slice(0, MOST_TEXT_CHARS).toWellFormed()}…` : text;
}
