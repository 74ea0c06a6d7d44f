import { formatDuration } from "../../terminal/format.ts";

/** The result of an import, as `--json` prints it. */
export interface ImportSummary {
  /** Models that were read and are in the inventory now. */
  imported: number;
  /** Those that the inventory did not have before. */
  added: number;
  /** Those that the import changed. */
  changed: number;
  /** Those that were in the inventory with the same facts; they are not written. */
  unchanged: number;
  /** Lines that are not a model. */
  skipped: number;
  /** Lines whose name came again later: the last one counts. */
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

/** Renders the summary. */
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
  // Most imports only add models; then no more is said.
  const became =
    added === imported ? "" : ` (${number(added)} new, ${number(changed)} changed, ${number(unchanged)} unchanged)`;
  const parts = [
    `${interrupted ? "Stopped. " : ""}Imported ${counted(imported, "model")}${became}`,
    `skipped ${counted(skipped, "line")}`,
    ...(repeated > 0 ? [`${counted(repeated, "line")} repeated a name (the last one counts)`] : []),
  ];
  return `${parts.join(", ")}, in ${formatDuration(seconds * 1_000)}. The inventory holds ${counted(models, "model")}.`;
}

function counted(count: number, thing: string): string {
  return `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
}

function number(count: number): string {
  return count.toLocaleString("en");
}
