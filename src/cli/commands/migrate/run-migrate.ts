import { migrateStore } from "../../../store/index.ts";
import type { CommandContext } from "../../command.ts";
import { exitCodes } from "../../errors.ts";
import { loadConfig, storeFailure } from "../../resources.ts";

/** Runs `modelscout migrate`. */
export async function runMigrate(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const report = await migrateStore(loadConfig(context)).catch(storeFailure);
  const { place, from, to, applied } = report;
  const text =
    applied.length === 0
      ? `The state in ${place} has schema ${to}, the newest; there was nothing to do`
      : `The state in ${place} was updated from schema ${from} to ${to}; applied: ${applied.join(", ")}`;
  terminal.print(args.has("json") ? JSON.stringify(report, null, 2) : text);
  return exitCodes.done;
}
