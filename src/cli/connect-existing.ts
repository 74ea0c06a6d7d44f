import { existsSync } from "node:fs";
import type { Config } from "../config.ts";
import type { InventoryDatabase } from "../inventory/inventory-database.ts";
import { localFolder } from "../inventory/local-folder.ts";
import { connectDatabase } from "../open-inventory.ts";
import { CliError } from "./cli-error.ts";

/** Connects to the inventory's database as it is. @throws CliError when there is none: connecting would make a folder. */
export async function connectExisting(config: Config): Promise<InventoryDatabase> {
  const folder = localFolder(config.inventoryUri);
  if (folder !== undefined && !existsSync(folder)) throw new CliError(`There is no inventory at ${folder} yet`);
  return connectDatabase(config);
}
