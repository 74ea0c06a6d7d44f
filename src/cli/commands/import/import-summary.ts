import { formatDuration } from "../../terminal/format.ts";

/** How an import went, as `--json` prints it. */
export interface ImportSummary {
  /** Models that were read and are in the inventory now. */
  imported: number;
  /** Of them, those that it did not have before. */
  added: number;
  /** Those that this import changed. */
  changed: number;
  /** Those that were like that already, and were not written. */
  unchanged: number;
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
  added,
  changed,
  unchanged,
  skipped,
  repeated,
  interrupted,
  models,
  seconds,
}: ImportSummary): string {
  // Most imports bring what was not there; that needs no words.
  const became =
    added === imported ? "" : ` (${told(added)} new, ${told(changed)} changed, ${told(unchanged)} unchanged)`;
  const parts = [
    `${interrupted ? "Stopped. " : ""}Imported ${counted(imported, "model")}${became}`,
    `skipped ${counted(skipped, "line")}`,
    ...(repeated > 0 ? [`${counted(repeated, "line")} repeated a name (the last one counts)`] : []),
  ];
  return `${parts.join(", ")}, in ${formatDuration(seconds * 1_000)}. The inventory holds ${counted(models, "model")}.`;
}

function counted(count: number, thing: string): string {
  return `${told(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function told(count: number): string {
  return count.toLocaleString("en");
}
