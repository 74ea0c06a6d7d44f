import { type SourceName, sourceNames } from "../../../config/source-names.ts";
import { ServiceError } from "../../../error.ts";
import type { SkippedRecord, SourceFault } from "../../../sources/index.ts";
import { runSync, type SyncContext, type SyncProgress, type SyncReport } from "../../../sync/index.ts";
import { didYouMean } from "../../../text/index.ts";
import type { CommandContext, ParsedArguments } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { storeFailure, withInventory } from "../../resources.ts";
import { listenForStop } from "../../stop-signals.ts";
import { formatDuration } from "../../terminal/format.ts";
import { Progress } from "../../terminal/progress.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cleanText } from "../../terminal/text.ts";

/** The arguments of `modelscout sync`. */
export interface SyncArguments {
  sources: SourceName[];
  limit: number | undefined;
  cards: number | undefined;
}

/** More models than any source has. */
const MOST = 100_000_000;

/** Reads the arguments of `modelscout sync`. @throws UsageError with all faults at once. */
export function readSyncArguments(args: ParsedArguments): SyncArguments {
  const faults: string[] = [];
  const given = args.positionals.length === 0 ? ["huggingface"] : args.positionals;
  const sources = sourceNames.filter((name) => given.includes(name));
  for (const word of given) {
    if ((sourceNames as readonly string[]).includes(word)) {
      continue;
    }
    const hint = didYouMean(word, sourceNames) || `; there are ${sourceNames.join(", ")}`;
    faults.push(`${JSON.stringify(word)}: unknown source${hint}`);
  }
  const whole = (name: string, least: number) => {
    const value = args.value(name);
    if (value === undefined) {
      return undefined;
    }
    if (sources.length > 0 && !sources.includes("huggingface")) {
      faults.push(`--${name}: applies to huggingface only, which is not among the sources`);
    }
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= MOST) {
      return number;
    }
    faults.push(`--${name} ${JSON.stringify(value)}: must be a whole number from ${least} to ${MOST}`);
    return undefined;
  };
  const limit = whole("limit", 1);
  const cards = whole("cards", 0);
  if (faults.length > 0) {
    throw new UsageError("sync", faults);
  }
  return { sources, limit, cards };
}

/** The summary of a sync. */
export function renderSyncSummary(report: SyncReport): string {
  const { source, listed, seconds } = report;
  const begin = {
    done: `Synced ${source}`,
    gave_up: `Gave up on ${source}`,
    stopped: `Stopped syncing ${source}`,
  }[report.outcome];
  const parts = [
    `${counted(listed, "model")} listed${report.resumed ? " (resumed where an earlier sync stopped)" : ""}`,
    `${figure(report.added)} added`,
    `${figure(report.changed)} changed`,
    `${figure(report.unchanged)} unchanged`,
    `${figure(report.vanished)} vanished`,
    ...(report.returned > 0 ? [`${figure(report.returned)} returned`] : []),
    ...(report.removed > 0 ? [`${figure(report.removed)} removed`] : []),
    ...(report.skipped > 0 ? [`${figure(report.skipped)} skipped`] : []),
    ...(report.faults > 0 ? [`${counted(report.faults, "fault")}${report.outcome === "done" ? " retried" : ""}`] : []),
    ...(report.details_lost > 0 ? [`${counted(report.details_lost, "detail")} unavailable`] : []),
  ];
  const resumeHint =
    report.outcome === "done" || listed === 0 ? "" : " What was read is kept; run the command again to resume.";
  return `${begin}: ${parts.join(", ")}, in ${formatDuration(seconds * 1_000)}.${resumeHint}`;
}

/** The last line of a run. */
export function renderInventorySize(models: number): string {
  return `The inventory holds ${counted(models, "model")}.`;
}

function counted(count: number, thing: string): string {
  return `${figure(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function figure(count: number): string {
  return count.toLocaleString("en");
}

/** The most skipped records and losses that are printed; further ones are only counted. */
const MOST_PRINTED = 20;
/** Shorter waits are not printed. */
const PRINTED_WAIT_MS = 5_000;

/** Runs `modelscout sync`. */
export async function runSyncs(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const options = readSyncArguments(args);
  const stop = listenForStop();
  try {
    return await withInventory(context, async ({ database }, config) => {
      const { openStore } = await import("../../../store/index.ts");
      const store = await openStore(config).catch(storeFailure);
      try {
        const { reports, refused } = await syncAll(
          { database, store, settings: config },
          options,
          stop.signal,
          terminal,
        );
        // A rebuild may have replaced the table. After a stop, the written models are not indexed yet.
        const models = await (await database.serving()).table.countRows();
        if (args.has("json")) {
          terminal.print(JSON.stringify({ syncs: reports, models }, null, 2));
        } else {
          terminal.print([...reports.map(renderSyncSummary), renderInventorySize(models)].join("\n"));
        }
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

/** Syncs the sources in turn. `refused`: another process is already syncing one of them. */
async function syncAll(
  context: SyncContext,
  { sources, limit, cards }: SyncArguments,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<{ reports: SyncReport[]; refused: boolean }> {
  const reports: SyncReport[] = [];
  let refused = false;
  for (const source of sources) {
    if (signal.aborted) {
      break;
    }
    const shown = showSync(source, terminal);
    try {
      const report = await runSync(context, source, { limit, cards, signal, ...shown.events });
      reports.push(report);
      shown.end();
      if (report.error !== undefined) {
        printError(terminal, report.error);
      }
    } catch (error) {
      shown.end();
      if (!(error instanceof ServiceError) || error.reason !== "SYNC_RUNNING") {
        throw error;
      }
      refused = true;
      printError(terminal, error.message);
    }
  }
  return { reports, refused };
}

function printError(terminal: Terminal, message: string): void {
  terminal.note(`${terminal.paintNote("red", "Error:")} ${cleanText(message)}`);
}

/** Shows the progress of a sync. */
function showSync(source: SourceName, terminal: Terminal) {
  const began = performance.now();
  let progress: Progress | undefined;
  let shownTotal: number | undefined;
  let [skipped, lost] = [0, 0];
  const print = (text: string) => (progress ?? terminal).note(cleanText(text));
  const events = {
    onProgress({ listed, total, faults, phase }: SyncProgress) {
      if (total !== undefined && total !== shownTotal) {
        // The total is known only now.
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
      if (++skipped <= MOST_PRINTED) {
        print(`${source}: skipped ${name}: ${reason}`);
      }
    },
    onFault({ detail, waitMs }: SourceFault) {
      if (waitMs >= PRINTED_WAIT_MS) {
        print(`${source}: ${detail}; retrying in ${formatDuration(waitMs)}`);
      }
    },
    onLoss(problem: string) {
      if (++lost <= MOST_PRINTED) {
        print(`${source}: ${problem}`);
      }
    },
  };
  return {
    events,
    end() {
      progress?.stop();
      if (skipped > MOST_PRINTED) {
        terminal.note(`${source}: … and ${skipped - MOST_PRINTED} more skipped`);
      }
    },
  };
}
