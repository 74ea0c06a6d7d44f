import { ServiceError } from "../error.ts";
import type { SourceName } from "../source-names.ts";
import type { SkippedRecord, SourceFault } from "../sources/source.ts";
import { runSync, type SyncContext } from "../sync/run-sync.ts";
import type { SyncReport } from "../sync/sync-report.ts";
import type { SyncProgress } from "../sync/sync-source.ts";
import { cleanText } from "./clean-text.ts";
import type { CommandContext } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { formatDuration } from "./format-duration.ts";
import { listenForStop } from "./listen-for-stop.ts";
import { Progress } from "./progress.ts";
import { type SyncOptions, syncOptions } from "./sync-options.ts";
import { renderInventorySize, renderSyncSummary } from "./sync-summary.ts";
import type { Terminal } from "./terminal.ts";
import { withInventory } from "./with-inventory.ts";
import { storeFailure } from "./with-store.ts";

/** More skipped records and losses than this are only counted. */
const MOST_TOLD = 20;
/** Shorter waits are no reason to wonder. */
const TOLD_WAIT_MS = 5_000;

/** Does `modelscout sync`. */
export async function runSyncs(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const options = syncOptions(args);
  const stop = listenForStop();
  try {
    return await withInventory(context, async (inventory, config) => {
      const { openStore } = await import("../store/open-store.ts");
      const store = await openStore(config).catch(storeFailure);
      try {
        const { reports, refused } = await syncAll(
          { inventory, store, settings: config },
          options,
          stop.signal,
          terminal,
        );
        // Another table may serve by now. What was stopped is written, and not indexed yet for those who read.
        const models = await (await inventory.database.serving()).table.countRows();
        if (args.has("json")) terminal.print(JSON.stringify({ syncs: reports, models }, null, 2));
        else terminal.print([...reports.map(renderSyncSummary), renderInventorySize(models)].join("\n"));
        const gaveUp = refused || reports.some(({ outcome }) => outcome === "gave_up");
        return stop.code() ?? (gaveUp ? exitCodes.failed : exitCodes.done);
      } finally {
        await store.close();
      }
    });
  } finally {
    stop.release();
  }
}

/** Syncs the sources in turn. `refused` says that one of them is being synced by somebody else. */
async function syncAll(
  context: SyncContext,
  { sources, limit, cards }: SyncOptions,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<{ reports: SyncReport[]; refused: boolean }> {
  const reports: SyncReport[] = [];
  let refused = false;
  for (const source of sources) {
    if (signal.aborted) break;
    const shown = showSync(source, terminal);
    try {
      const report = await runSync(context, source, { limit, cards, signal, ...shown.events });
      reports.push(report);
      shown.end();
      if (report.error !== undefined) tellError(terminal, report.error);
    } catch (error) {
      shown.end();
      if (!(error instanceof ServiceError) || error.reason !== "SYNC_RUNNING") throw error;
      refused = true;
      tellError(terminal, error.message);
    }
  }
  return { reports, refused };
}

function tellError(terminal: Terminal, message: string): void {
  terminal.tell(`${terminal.paintNote("red", "Error:")} ${cleanText(message)}`);
}

/** Shows how a sync goes while it runs. */
function showSync(source: SourceName, terminal: Terminal) {
  const began = performance.now();
  let progress: Progress | undefined;
  let shownTotal: number | undefined;
  let [skipped, lost] = [0, 0];
  const tell = (text: string) => (progress ?? terminal).tell(cleanText(text));
  const events = {
    onProgress({ listed, total, faults, phase }: SyncProgress) {
      if (total !== undefined && total !== shownTotal) {
        // Only now it is known what is counted up to.
        progress?.stop();
        progress = new Progress(terminal, { title: `Syncing ${source}`, total });
        shownTotal = total;
      }
      const seconds = (performance.now() - began) / 1_000;
      const status = [
        `${listed.toLocaleString("en")} models`,
        ...(seconds > 0.5 && listed > 0 ? [`${Math.round(listed / seconds).toLocaleString("en")} models/s`] : []),
        ...(faults > 0 ? [`${faults} ${faults === 1 ? "fault" : "faults"}`] : []),
        ...(phase === "finishing" ? ["finishing"] : []),
      ];
      progress?.update(listed, status.join(", "));
    },
    onSkip({ name, reason }: SkippedRecord) {
      if (++skipped <= MOST_TOLD) tell(`${source}: skipped ${name}: ${reason}`);
    },
    onFault({ detail, waitMs }: SourceFault) {
      if (waitMs >= TOLD_WAIT_MS) tell(`${source}: ${detail}; asking again in ${formatDuration(waitMs)}`);
    },
    onLoss(problem: string) {
      if (++lost <= MOST_TOLD) tell(`${source}: ${problem}`);
    },
  };
  return {
    events,
    end() {
      progress?.stop();
      if (skipped > MOST_TOLD) terminal.tell(`${source}: … and ${skipped - MOST_TOLD} more skipped`);
    },
  };
}
