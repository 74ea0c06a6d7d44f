import { withHome } from "../bench/support/with-home.ts";
import { openInventory } from "../src/app/open-inventory.ts";
import { readConfig } from "../src/config/config.ts";
import type { Inventory } from "../src/inventory/inventory.ts";
import { ingest } from "../src/inventory/write/ingest.ts";
import { readRecords } from "../src/sources/file.ts";

/** Opens the inventory of a home, which a sync may have filled. It must not be in use. */
export async function withHomeInventory<T>(home: string, action: (inventory: Inventory) => Promise<T>): Promise<T> {
  process.env.LANCEDB_LOG ??= "off";
  const { config } = readConfig({ MODELSCOUT_HOME: home, MODELSCOUT_ENCODER: process.env.MODELSCOUT_ENCODER });
  const { database, inventory } = await openInventory(config);
  try {
    return await action(inventory);
  } finally {
    await database.close();
  }
}

/** Opens an inventory in a temporary folder: the starter catalogue, or only the models of a file. */
export async function withEvalInventory<T>(
  file: string | undefined,
  action: (inventory: Inventory) => Promise<T>,
): Promise<T> {
  process.env.LANCEDB_LOG ??= "off";
  return withHome(async (home) => {
    const { config } = readConfig({
      MODELSCOUT_HOME: home,
      MODELSCOUT_STARTER: file === undefined ? "on" : "off",
      MODELSCOUT_ENCODER: process.env.MODELSCOUT_ENCODER,
    });
    const { database, inventory } = await openInventory(config);
    try {
      if (file !== undefined) {
        await ingest(database, readRecords(file), { source: "import" });
      }
      return await action(inventory);
    } finally {
      await database.close();
    }
  });
}
