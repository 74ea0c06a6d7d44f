import { beginSync, type InventoryDatabase, type SourceRecord, type SyncSession } from "../inventory/index.ts";
import { type SkippedRecord, type Source, SourceError, type SourceFault } from "../sources/index.ts";
import type { SyncReport } from "./sync-report.ts";

/** How far a sync is. */
export interface SyncProgress {
  listed: number;
  /** What `listed` counts up to, where the source says so. */
  total: number | undefined;
  faults: number;
  /** `finishing` once all is listed: what is gone is looked for, and the indexes are brought up to date. */
  phase: "listing" | "finishing";
}

/** How a source is synced. */
export interface SyncSourceOptions {
  /** Stops it; what was written stays. */
  signal?: AbortSignal;
  /** Told often. */
  onProgress?: (progress: SyncProgress) => void;
  onSkip?: (skipped: SkippedRecord) => void;
  /** Told of every fault that is tried again, before it is waited. */
  onFault?: (fault: SourceFault) => void;
  /** Told of what could not be had: a page, a card. */
  onLoss?: (problem: string) => void;
}

/**
 * Records that are written at a time, doubled with each write: the first soon, so that a crash costs little, and later
 * ones large, because a write into a large table costs about the same for a page as for thousands.
 */
const BATCH = { first: 500, most: 4_000 };
/** What a source gives slowly is written before this has gone by, so that a crash costs no more. */
const MOST_UNWRITTEN_MS = 10_000;
/** Skipped records that a report tells. */
const MOST_TOLD = 20;
/** Models that a source is asked about, one by one, whether it still has them. */
const MOST_CONFIRMED = 300;

/**
 * Syncs a source into the inventory: what it tells is merged, what did not change is not written, what it has no longer
 * is marked. A source that fails half-way, or a signal, ends it with what was listed in place; the next sync of the
 * source then goes on from there.
 *
 * @throws ServiceError SYNC_RUNNING while the source is being synced already; what the inventory throws.
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
    // Until here what was listed is still written.
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

/** Lists and writes. Throws what ended the listing, with all that was listed before written and the place remembered. */
async function list(
  session: SyncSession,
  source: Source,
  report: SyncReport,
  { signal, onProgress, onSkip, onFault, onLoss }: SyncSourceOptions,
): Promise<void> {
  let total: number | undefined;
  // More than the report tells: what is listed and not yet written.
  let listed = 0;
  let batch: SourceRecord[] = [];
  let enough = BATCH.first;
  let writtenAt = performance.now();
  /** Where to go on once the batch is written. */
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
    onSkip(told) {
      const skipped = { name: shortened(told.name), reason: shortened(told.reason) };
      if (++report.skipped <= MOST_TOLD) {
        report.skips.push(skipped);
      }
      onSkip?.(skipped);
    },
    onFault(fault) {
      countFault(report, fault);
      onFault?.(fault);
      show();
    },
    onGap(told) {
      const problem = shortened(told);
      report.error ??= problem;
      onLoss?.(problem);
    },
    onDetailLost(told) {
      const problem = shortened(told);
      report.details_lost++;
      onLoss?.(problem);
    },
    onTotal(expected) {
      total = expected;
      show();
    },
    async onCheckpoint(cursor) {
      place = cursor;
      if (batch.length >= enough || performance.now() - writtenAt >= MOST_UNWRITTEN_MS) {
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
      // A source without places to go on from.
      if (batch.length >= BATCH.most) {
        await write();
      }
      show();
    }
  } catch (error) {
    // What came before a source broke off or was stopped is good.
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

/** Sources tell names and texts as others wrote them, of any length; these go into reports, logs and terminals. */
const MOST_TOLD_CHARS = 500;

function shortened(text: string): string {
  return text.length > MOST_TOLD_CHARS ? `${text.slice(0, MOST_TOLD_CHARS).toWellFormed()}…` : text;
}
