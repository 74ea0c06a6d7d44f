import { encoderName, inventoryLoss, type OpenedInventory } from "../../../app/index.ts";
import {
  compact,
  dropRetired,
  type Generation,
  type InventoryStatus,
  inventoryStatus,
  type Problem,
  rebuildBeside,
  verify,
} from "../../../inventory/index.ts";
import type { CommandContext, ParsedArguments } from "../../command.ts";
import { exitCodes, UsageError } from "../../errors.ts";
import { connectExisting, loadConfig, withInventory } from "../../resources.ts";
import { listenForStop } from "../../stop-signals.ts";
import { formatBytes, formatDuration } from "../../terminal/format.ts";
import { Progress } from "../../terminal/progress.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { cleanText } from "../../terminal/text.ts";

/** Runs `modelscout inventory rebuild`. */
export async function runInventoryRebuild(context: CommandContext): Promise<number> {
  const { args, terminal, env } = context;
  const began = performance.now();
  const stop = listenForStop();
  const isNamed = (env.MODELSCOUT_ENCODER ?? "").trim() !== "";
  const work = async (opened: OpenedInventory, config: { encoder: string }) => {
    const encoder = isNamed ? encoderName(config.encoder) : opened.inventory.generation.encoder;
    const { encoderId } = await rebuild(opened, encoder, stop.signal, terminal);
    const models = await (await opened.database.serving({ fresh: true })).size();
    return { models, encoder, encoder_id: encoderId, seconds: (performance.now() - began) / 1_000 };
  };
  try {
    const { seconds, ...report } = await withInventory(context, work, { tellsEncoder: false });
    terminal.print(
      args.has("json")
        ? JSON.stringify({ ...report, seconds: Number(seconds.toFixed(3)) }, null, 2)
        : `Rebuilt ${report.models.toLocaleString("en")} models in ${formatDuration(seconds * 1_000)}, with vectors of ${cleanText(report.encoder)}.`,
    );
    return exitCodes.done;
  } catch (error) {
    const code = stop.code();
    if (code === undefined) {
      throw error;
    }
    terminal.note("Stopped. The inventory is unchanged.");
    return code;
  } finally {
    stop.release();
  }
}

async function rebuild(
  { database, inventory: { generation, table } }: OpenedInventory,
  encoderName: string,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Generation> {
  const encoder = await database.encoder(encoderName);
  await database.withWriteLock(() => dropRetired(database), signal);
  const progress = new Progress(terminal, { title: "Rebuilding the inventory", total: await table.countRows() });
  try {
    const plan = { sources: [generation], built: "anew", encoder, encoderName } as const;
    return await rebuildBeside(database, plan, {
      signal,
      onProgress: (done, total) =>
        progress.update(done, `${done.toLocaleString("en")} models${done === total ? ", indexing" : ""}`),
    });
  } finally {
    progress.stop();
  }
}

/** Runs `modelscout inventory compact`. */
export async function runInventoryCompact(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const began = performance.now();
  return withInventory(context, async ({ database }) => {
    const before = sizeOf(await inventoryStatus(database));
    await compact(database);
    const after = sizeOf(await inventoryStatus(database));
    const seconds = Number(((performance.now() - began) / 1_000).toFixed(3));
    const text = [
      `Compacted in ${formatDuration(seconds * 1_000)}.`,
      before.bytes !== undefined && after.bytes !== undefined
        ? `${formatBytes(before.bytes)} on disk before, ${formatBytes(after.bytes)} now.`
        : "",
      after.versions > 1
        ? "Versions of the last ten minutes are kept, because other processes may still read them."
        : "",
    ];
    terminal.print(
      args.has("json") ? JSON.stringify({ before, after, seconds }, null, 2) : text.filter(Boolean).join(" "),
    );
    return exitCodes.done;
  });
}

/** The sizes that compaction reduces. `bytes` is undefined if the inventory is not in a local folder. */
function sizeOf({ serving, retired }: InventoryStatus): { bytes?: number; files: number; versions: number } {
  const { bytes, fragments = 0, versions = 0 } = serving ?? {};
  const replaced = retired.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
  return { bytes: bytes === undefined ? undefined : bytes + replaced, files: fragments, versions };
}

/** Runs `modelscout inventory verify`. */
export async function runInventoryVerify(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const sample = readSample(args);
  const config = loadConfig(context);
  const database = await connectExisting(config);
  const stop = listenForStop();
  const began = performance.now();
  let progress: Progress | undefined;
  try {
    const { models, sampled, problems } = await verify(database, {
      sample,
      loss: await inventoryLoss(config, database),
      signal: stop.signal,
      onProgress: (done, total) => {
        progress ??= new Progress(terminal, { title: "Verifying the inventory", total });
        progress.update(done, `${done.toLocaleString("en")} models`);
      },
    }).finally(() => progress?.stop());
    const seconds = Number(((performance.now() - began) / 1_000).toFixed(3));
    const kinds = problems.length;
    const found = kinds === 0 ? "No faults" : kinds === 1 ? "1 fault found" : `${kinds} faults found`;
    terminal.print(
      args.has("json")
        ? JSON.stringify({ models, sampled, problems, seconds }, null, 2)
        : [
            `${found}: ${models.toLocaleString("en")} models read, ${sampled} looked up in every index, in ${formatDuration(seconds * 1_000)}.`,
            ...problems.map((problem) => renderProblem(problem, terminal)),
          ].join("\n"),
    );
    return problems.length === 0 ? exitCodes.done : exitCodes.failed;
  } catch (error) {
    const code = stop.code();
    if (code === undefined) {
      throw error;
    }
    return code;
  } finally {
    stop.release();
    await database.close();
  }
}

function renderProblem({ what, count, models }: Problem, terminal: Terminal): string {
  const times = count > 1 ? `, ${count.toLocaleString("en")} times` : "";
  const where = models.length === 0 ? "" : `: ${models.join(", ")}${count > models.length ? " …" : ""}`;
  return `  ${terminal.paint("red", cleanText(`${what}${times}`))}${cleanText(where)}`;
}

function readSample(args: ParsedArguments): number | undefined {
  const text = args.value("sample");
  if (text === undefined) {
    return undefined;
  }
  if (/^\d{1,7}$/.test(text)) {
    return Number(text);
  }
  throw new UsageError("inventory verify", [
    `--sample: is ${JSON.stringify(text)}; must be a whole number from 0 to 9999999`,
  ]);
}
