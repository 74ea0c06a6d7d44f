import { formatDuration } from "./format-duration.ts";

/** How an import went, as `--json` prints it. */
export interface ImportSummary {
  /** Models written. */
  imported: number;
  /** Lines that were no model. */
  skipped: number;
  /** Lines whose name came again later: the last one holds. */
  repeated: number;
  /** Whether a signal stopped it. */
  interrupted: boolean;
  /** Why the file could not be read to its end. */
  error?: string;
  /** The first skipped lines. */
  skipped_lines: ReadonlyArray<{ line: number; reason: string }>;
  /** Models in the inventory now. */
  models: number;
  seconds: number;
}

/** The summary for people. */
export function renderImportSummary({
  imported,
  skipped,
  repeated,
  interrupted,
  models,
  seconds,
}: ImportSummary): string {
  const parts = [
    `${interrupted ? "Stopped. " : ""}Imported ${counted(imported, "model")}`,
    `skipped ${counted(skipped, "line")}`,
    ...(repeated > 0 ? [`${counted(repeated, "line")} repeated a name (the last one holds)`] : []),
  ];
  return `${parts.join(", ")}, in ${formatDuration(seconds * 1_000)}. The inventory holds ${counted(models, "model")}.`;
}

function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}
