import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Command, CommandContext } from "../../command.ts";
import { CliError, exitCodes, UsageError } from "../../errors.ts";
import { formatBytes } from "../../terminal/format.ts";

/** The file of the key that encrypts webhook secrets; see webhooks/secrets.ts. */
const KEY_FILE = "secret.key";

/** `modelscout backup` */
export const backupCommand: Command = {
  name: "backup",
  summary: "Copy MODELSCOUT_HOME into a folder, even while a server uses it",
  description: [
    "Copies what is on this machine: the state, the key that encrypts webhook secrets, and then the inventory. The order matters: the service starts with an inventory that is newer than its state, but not with an older one. Each part is complete, even if something is written during the copy. To restore the copy, stop the server and put the copied folder in the place of MODELSCOUT_HOME.",
    "A state in PostgreSQL and an inventory on object storage are not copied; the output says what to do for them. docs/operations.md describes backups, restoring and upgrades.",
  ],
  positionals: [{ name: "FOLDER", help: "where to copy to: a folder that is empty or does not exist" }],
  options: [{ name: "json", help: "Print what was copied as JSON" }],
  examples: [["backup /var/backups/modelscout-2026-11-23", "a copy for each day"]],
  run: runBackup,
};

async function runBackup(context: CommandContext): Promise<number> {
  // Loaded here, so that other commands start without the inventory and the store.
  const { copyInventory, localFolder } = await import("../../../inventory/index.ts");
  const { copySqlite, STORE_FILE } = await import("../../../store/index.ts");
  const { loadConfig } = await import("../../resources.ts");
  const { args, terminal } = context;
  const { home, databaseUrl, inventoryUri, secretKey } = loadConfig(context);
  const target = resolve(args.positionals[0] ?? "");
  const state = join(home, STORE_FILE);
  const inventory = localFolder(inventoryUri);
  if (databaseUrl === undefined && !existsSync(state)) {
    throw new CliError(
      `There is no state at ${state}; run this command in the server's folder, or with the server's MODELSCOUT_HOME`,
    );
  }
  await makeEmpty(target);
  const notes: string[] = [];
  const copied: string[] = [];
  if (databaseUrl === undefined) {
    await copySqlite(state, join(target, STORE_FILE));
    copied.push(STORE_FILE);
  } else {
    notes.push("The state is in PostgreSQL. Back it up with pg_dump before this command, and restore both together.");
  }
  if (existsSync(join(home, KEY_FILE))) {
    await copyFile(join(home, KEY_FILE), join(target, KEY_FILE));
    copied.push(KEY_FILE);
    notes.push(`${KEY_FILE} decrypts the webhook secrets in the state: let nobody read the copy.`);
  } else if (secretKey !== undefined) {
    notes.push("Keep MODELSCOUT_SECRET_KEY too: without it the webhook secrets cannot be read.");
  }
  let bytes = 0;
  if (inventory === undefined) {
    notes.push(
      "The inventory is on object storage and was not copied. Let the storage keep old versions of its objects, or copy its prefix after this command.",
    );
  } else if (existsSync(inventory)) {
    bytes = await copyInventory(inventory, join(target, "inventory"));
    copied.push("inventory");
    if (inventory !== join(home, "inventory")) {
      notes.push(
        `The inventory was at ${inventory}. When you restore it, put it back there, or do not set MODELSCOUT_INVENTORY_URI.`,
      );
    }
  }
  for (const note of notes) {
    terminal.note(note);
  }
  const text = `Copied to ${target}: ${copied.join(", ")}${bytes > 0 ? ` (${formatBytes(bytes)} of models)` : ""}`;
  terminal.print(args.has("json") ? JSON.stringify({ folder: target, copied, notes }, null, 2) : text);
  return exitCodes.done;
}

/** Makes a folder that only its owner can read. @throws UsageError if it has content. */
async function makeEmpty(folder: string): Promise<void> {
  if (existsSync(folder) && (await readdir(folder)).length > 0) {
    throw new UsageError("backup", [`FOLDER: ${folder} is not empty; a backup needs a folder of its own`]);
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
}
