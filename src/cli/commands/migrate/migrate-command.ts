import type { Command, CommandContext } from "../../command.ts";
import { exitCodes } from "../../errors.ts";

/** `modelscout migrate` */
export const migrateCommand: Command = {
  name: "migrate",
  summary: "Update the state database to this version's schema",
  description: [
    "The state is a SQLite file in MODELSCOUT_HOME, or the PostgreSQL database that MODELSCOUT_DATABASE_URL names. The server and the commands that need the state also migrate it themselves; this command does it in advance and reports the result. All steps are applied, or none. A program refuses a schema that is newer than its own.",
  ],
  options: [{ name: "json", help: "Print what was done as JSON" }],
  examples: [
    ["migrate", "the SQLite file in the home"],
    ["migrate", "a PostgreSQL database", "MODELSCOUT_DATABASE_URL=postgres://user:password@host/modelscout"],
  ],
  exits: [
    [0, "the database has this version's schema"],
    [1, "the database cannot be reached, or has a newer schema"],
  ],
  run: runMigrate,
};

async function runMigrate(context: CommandContext): Promise<number> {
  // Loaded here, so that other commands start without the store.
  const { loadConfig, storeFailure } = await import("../../resources.ts");
  const { migrateStore } = await import("../../../store/index.ts");
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
