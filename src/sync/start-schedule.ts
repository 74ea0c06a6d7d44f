import { Cron } from "croner";
import type { SourceName } from "../config/source-names.ts";
import { ServiceError } from "../error.ts";
import type { Store } from "../store/index.ts";
import { takeSync } from "../store/tables/index.ts";
import type { SyncReport } from "./sync-report.ts";

/** When to sync which sources. */
export interface SyncSchedule {
  /** A cron expression, in the machine's time zone. */
  cron: string;
  sources: readonly SourceName[];
}

/** Logs how scheduled syncs go. Fastify's logger has this form. */
export interface SyncLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Dependencies of a schedule. */
export interface ScheduleOptions {
  schedule: SyncSchedule;
  /** The replicas use it to decide which of them does a sync. */
  store: Store;
  /** Runs one sync. */
  sync: (source: SourceName, options: { signal: AbortSignal }) => Promise<SyncReport>;
  log: SyncLog;
  /** Stops a running sync, and starts no further one. */
  signal?: AbortSignal;
}

/** A running schedule. */
export interface RunningSchedule {
  /** When the next sync is due. */
  next(): Date | null;
  /** Stops the schedule and a running sync; settles when both have stopped. */
  stop(): Promise<void>;
}

/**
 * Syncs sources on a schedule, one after the other. Of several replicas that share a store, one does each scheduled
 * sync. A failed sync is logged and reported, and the schedule continues.
 */
export function startSchedule({ schedule, store, sync, log, signal }: ScheduleOptions): RunningSchedule {
  const stop = new AbortController();
  const stopped = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  let running = Promise.resolve();
  const cron = new Cron(schedule.cron, { protect: true, unref: true }, (self) => {
    // The scheduled time is the same for all replicas, whatever their clocks show.
    const at = self.previousRuns(1)[0]?.getTime() ?? Date.now();
    running = syncAll(at);
    return running;
  });

  async function syncAll(at: number): Promise<void> {
    for (const source of schedule.sources) {
      if (stopped.aborted) {
        return;
      }
      try {
        if (await takeSync(store.db, source, at)) {
          await syncScheduled(source);
        }
      } catch (error) {
        if (isRunning(error)) {
          log.info({ source }, `Not synced: ${(error as Error).message}`);
        } else {
          log.error({ source, err: error }, "The scheduled sync failed");
        }
      }
    }
  }

  async function syncScheduled(source: SourceName): Promise<void> {
    log.info({ source }, "The scheduled sync begins");
    const { skips, ...report } = await sync(source, { signal: stopped });
    if (report.outcome === "gave_up") {
      log.warn({ sync: report, skips }, "The scheduled sync gave up");
    } else {
      log.info({ sync: report, skips }, `The scheduled sync is ${report.outcome}`);
    }
  }

  return {
    next: () => cron.nextRun(),
    async stop() {
      cron.stop();
      stop.abort();
      await running;
    },
  };
}

function isRunning(error: unknown): boolean {
  return error instanceof ServiceError && error.reason === "SYNC_RUNNING";
}
