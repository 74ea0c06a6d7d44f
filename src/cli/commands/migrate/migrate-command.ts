import type { Command } from "../../command.ts";

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
  run: async (context) => (await import("./run-migrate.ts")).runMigrate(context),
};
