import { Cron } from "croner";
import type { SourceName } from "../config/source-names.ts";
import { ServiceError } from "../error.ts";
import type { Store } from "../store/index.ts";
import { takeSync } from "../store/tables/index.ts";
import type { SyncReport } from "./sync-report.ts";

/** When which sources are synced. */
export interface SyncSchedule {
  /** A cron expression, in the machine's time zone. */
  cron: string;
  sources: readonly SourceName[];
}

/** Where it is told how scheduled syncs go: Fastify's logger has this form. */
export interface SyncLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** What a schedule works with. */
export interface ScheduleOptions {
  schedule: SyncSchedule;
  /** Where replicas agree who does which sync. */
  store: Store;
  /** Does a sync. */
  sync: (source: SourceName, options: { signal: AbortSignal }) => Promise<SyncReport>;
  log: SyncLog;
  /** Ends a sync that runs, and lets no other begin. */
  signal?: AbortSignal;
}

/** A schedule that runs. */
export interface RunningSchedule {
  /** When the next sync is due. */
  next(): Date | null;
  /** Ends it, and a sync that runs; settles when that has stopped. */
  stop(): Promise<void>;
}

/**
 * Syncs sources on a schedule, one after the other. Of several replicas that share a store, one does each scheduled
 * sync. A sync that fails is logged and kept, and the next one is tried all the same.
 */
export function startSchedule({ schedule, store, sync, log, signal }: ScheduleOptions): RunningSchedule {
  const stop = new AbortController();
  const stopped = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  let running = Promise.resolve();
  const cron = new Cron(schedule.cron, { protect: true, unref: true }, (self) => {
    // The time that was scheduled, which is the same for all replicas whatever their clocks say.
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
