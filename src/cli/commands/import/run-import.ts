import { stat } from "node:fs/promises";
import {
  EVALUATIONS_SOURCE,
  type InventoryDatabase,
  ingest,
  refreshIndexes,
  type WriteCounts,
} from "../../../inventory/index.ts";
import { eachUntilAborted } from "../../../pace/index.ts";
import { readRecords, type SkippedLine } from "../../../sources/index.ts";
import type { CommandContext } from "../../command.ts";
import { CliError, exitCodes } from "../../errors.ts";
import { withInventory } from "../../resources.ts";
import { listenForStop } from "../../stop-signals.ts";
import { formatBytes, formatDuration } from "../../terminal/format.ts";
import { Progress } from "../../terminal/progress.ts";
import { cleanText } from "../../terminal/text.ts";

/** The most skipped lines that are printed; further ones are only counted. */
const MOST_PRINTED = 20;

/** Runs `modelscout import FILE`. */
export async function runImport(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const path = args.positionals[0] as string;
  const source = args.value("source") ?? "import";
  if (source === EVALUATIONS_SOURCE) {
    throw new CliError(`--source ${source} is reserved for the figures of leaderboards; choose another name`);
  }
  const totalBytes = await sizeOf(path);
  if (path === "-" && process.stdin.isTTY) {
    terminal.note("Reading models from the terminal, one per line; Ctrl-D ends the input.");
  }
  const stop = listenForStop();
  try {
    const summary = await withInventory(context, ({ database }) =>
      importFile(database, {
        path,
        totalBytes,
        source,
        signal: stop.signal,
        terminal,
      }),
    );
    if (summary.error !== undefined) {
      terminal.note(
        `${terminal.paintNote("red", "Error:")} ${cleanText(`${path} could not be read to its end: ${summary.error}`)}`,
      );
    }
    terminal.print(args.has("json") ? JSON.stringify(summary, null, 2) : renderImportSummary(summary));
    const stopCode = stop.code();
    if (stopCode !== undefined) {
      return stopCode;
    }
    const failed = summary.error !== undefined || summary.imported === 0 || (args.has("strict") && summary.skipped > 0);
    return failed ? exitCodes.failed : exitCodes.done;
  } finally {
    stop.release();
    // Unread input would keep the process alive.
    if (path === "-") {
      process.stdin.destroy();
    }
  }
}

/** Bytes of the file; undefined for standard input and pipes. @throws when it cannot be read at all. */
async function sizeOf(path: string): Promise<number | undefined> {
  if (path === "-") {
    return undefined;
  }
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      error.code === "ENOENT" ? `There is no file ${path}` : `${path} cannot be read: ${error.message}`,
    );
  });
  if (found.isDirectory()) {
    throw new CliError(`${path} is a folder, not a file`);
  }
  return found.isFile() ? found.size : undefined;
}

interface ImportOptions {
  path: string;
  totalBytes: number | undefined;
  source: string;
  signal: AbortSignal;
  terminal: CommandContext["terminal"];
}

async function importFile(
  database: InventoryDatabase,
  { path, totalBytes, source, signal, terminal }: ImportOptions,
): Promise<ImportSummary> {
  const began = performance.now();
  const progress = new Progress(terminal, { title: `Importing ${cleanText(path)}`, total: totalBytes });
  const skippedLines: SkippedLine[] = [];
  let [bytes, read, skipped, written] = [0, 0, 0, 0];
  let counts: WriteCounts = { added: 0, changed: 0, unchanged: 0 };
  let error: string | undefined;
  const show = (state = "") => {
    const seconds = (performance.now() - began) / 1_000;
    const rate = seconds > 0.5 ? `, ${Math.round(read / seconds).toLocaleString("en")} models/s` : "";
    progress.update(bytes, `${read.toLocaleString("en")} models read${rate}, ${formatBytes(bytes)}${state}`);
  };
  async function* records() {
    try {
      const lines = readRecords(path, {
        onBytes: (count) => {
          bytes = count;
          show();
        },
        onSkip: (line) => {
          skipped++;
          if (skipped > MOST_PRINTED) {
            return;
          }
          skippedLines.push(line);
          progress.note(cleanText(`Line ${line.line} skipped: ${line.reason}`));
        },
      });
      for await (const record of lines) {
        read++;
        yield record;
      }
    } catch (thrown) {
      // Lines before the fault are valid, so they are written.
      error = thrown instanceof Error ? thrown.message : String(thrown);
    }
    show("; writing and indexing");
  }
  try {
    await ingest(database, eachUntilAborted(signal, records()), {
      source,
      signal,
      onProgress: (done, ofThem) => {
        written = done;
        counts = ofThem;
      },
    });
  } catch (thrown) {
    if (!signal.aborted) {
      throw thrown;
    }
    // Stopped between batches: the written models are indexed.
    if (counts.added + counts.changed > 0) {
      await database.writeServing(({ table }) => refreshIndexes(table));
    }
  } finally {
    progress.stop();
  }
  if (skipped > MOST_PRINTED) {
    terminal.note(`… and ${skipped - MOST_PRINTED} more lines skipped`);
  }
  return {
    imported: written,
    ...counts,
    skipped,
    repeated: signal.aborted ? 0 : read - written,
    interrupted: signal.aborted,
    error,
    skipped_lines: skippedLines,
    // A rebuild may have replaced the table. After a stop, the written models are not indexed yet.
    models: await (await database.serving()).table.countRows(),
    seconds: Number(((performance.now() - began) / 1_000).toFixed(3)),
  };
}

/** The result of an import, as `--json` prints it. */
interface ImportSummary {
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
function renderImportSummary({
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
