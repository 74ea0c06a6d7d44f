import { encoderName, type OpenedInventory } from "../../../app/index.ts";
import { dropRetired, type Generation, rebuildBeside } from "../../../inventory/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes } from "../../errors.ts";
import { withInventory } from "../../resources.ts";
import { listenForStop } from "../../stop-signals.ts";
import { formatDuration } from "../../terminal/format.ts";
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
