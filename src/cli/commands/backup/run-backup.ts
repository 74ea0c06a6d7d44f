import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { copyInventory, localFolder } from "../../../inventory/index.ts";
import { copySqlite, STORE_FILE } from "../../../store/index.ts";
import type { CommandContext } from "../../command.ts";
import { CliError, exitCodes, UsageError } from "../../errors.ts";
import { loadConfig } from "../../resources.ts";
import { formatBytes } from "../../terminal/format.ts";

/** The file of the key that encrypts webhook secrets; see webhooks/secrets.ts. */
const KEY_FILE = "secret.key";

/** Runs `modelscout backup FOLDER`. */
export async function runBackup(context: CommandContext): Promise<number> {
  const { args, terminal } = context;
  const { home, databaseUrl, inventoryUri, secretKey } = loadConfig(context);
  const target = resolve(args.positionals[0] ?? "");
  const state = join(home, STORE_FILE);
  const inventory = localFolder(inventoryUri);
  if (databaseUrl === undefined && !existsSync(state)) {
    throw new CliError(`There is no state at ${state}; run it in the server's folder, or with its MODELSCOUT_HOME`);
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
    notes.push("The inventory is on object storage. Keep its versions there, or copy the prefix after the state.");
  } else if (existsSync(inventory)) {
    bytes = await copyInventory(inventory, join(target, "inventory"));
    copied.push("inventory");
    if (inventory !== join(home, "inventory")) {
      notes.push(`The inventory was at ${inventory}: put it back there, or leave out MODELSCOUT_INVENTORY_URI.`);
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
