import type { SyncReport } from "../sync/sync-report.ts";
import { formatDuration } from "./format-duration.ts";

/** How a sync went, for people. */
export function renderSyncSummary(report: SyncReport): string {
  const { source, listed, seconds } = report;
  const begin = {
    done: `Synced ${source}`,
    gave_up: `Gave up on ${source}`,
    stopped: `Stopped syncing ${source}`,
  }[report.outcome];
  const parts = [
    `${counted(listed, "model")} listed${report.resumed ? " (going on where an earlier sync stopped)" : ""}`,
    `${figure(report.added)} added`,
    `${figure(report.changed)} changed`,
    `${figure(report.unchanged)} unchanged`,
    `${figure(report.vanished)} vanished`,
    ...(report.returned > 0 ? [`${figure(report.returned)} back again`] : []),
    ...(report.removed > 0 ? [`${figure(report.removed)} removed`] : []),
    ...(report.skipped > 0 ? [`${figure(report.skipped)} skipped`] : []),
    ...(report.faults > 0 ? [`${counted(report.faults, "fault")}${report.outcome === "done" ? " got over" : ""}`] : []),
    ...(report.details_lost > 0 ? [`${counted(report.details_lost, "detail")} not to be had`] : []),
  ];
  const goesOn = report.outcome === "done" || listed === 0 ? "" : " That stays; run it again to go on.";
  return `${begin}: ${parts.join(", ")}, in ${formatDuration(seconds * 1_000)}.${goesOn}`;
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
