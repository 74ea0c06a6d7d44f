import type { Command } from "../../command.ts";

/** `modelscout backup` */
export const backupCommand: Command = {
  name: "backup",
  summary: "Copy the home into a folder, even while a server uses it",
  description: [
    "Copies what is on this machine: the state, the key that encrypts webhook secrets, and then the inventory. The order matters: the service starts with an inventory that is newer than its state, but not with an older one. Each part is complete, even if something is written during the copy. To restore it, stop the server and replace the home with the folder.",
    "A state in PostgreSQL and an inventory on object storage are not copied; the output says what to do for them. docs/operations.md describes backups, restoring and upgrades.",
  ],
  positionals: [{ name: "FOLDER", help: "where to copy to: a folder that is empty or does not exist" }],
  options: [{ name: "json", help: "Print what was copied as JSON" }],
  examples: [["backup /var/backups/modelscout-2026-11-23", "a copy for each day"]],
  run: async (context) => (await import("./run-backup.ts")).runBackup(context),
};
