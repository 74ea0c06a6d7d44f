import { compact, type InventoryStatus, inventoryStatus } from "../../../inventory/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes } from "../../errors.ts";
import { withInventory } from "../../resources.ts";
import { formatBytes, formatDuration } from "../../terminal/format.ts";

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
      after.versions > 1 ? "Versions of the last ten minutes stay for their readers." : "",
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
