import type { Command } from "../../command.ts";

/** `modelscout backup` */
export const backupCommand: Command = {
  name: "backup",
  summary: "Copy the home into a folder, also while a server uses it",
  description: [
    "Copies what is on this machine: the state, the key that encrypts webhook secrets, and the inventory, in this order, because a start accepts an inventory that is newer than its state, but none that is older. Each part is whole, whatever is written meanwhile. To restore it, stop the server and put the folder in the place of the home.",
    "A state in PostgreSQL and an inventory on object storage are not copied; the output says what to do for them. docs/operations.md describes backups, restoring and upgrades.",
  ],
  positionals: [{ name: "FOLDER", help: "where to copy to: a folder that is empty or does not exist" }],
  options: [{ name: "json", help: "Print what was copied as JSON" }],
  examples: [["backup /var/backups/modelscout-2026-11-23", "a copy for each day"]],
  run: async (context) => (await import("./run-backup.ts")).runBackup(context),
};
