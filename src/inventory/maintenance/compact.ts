import { relative } from "node:path";
import type { InventoryDatabase } from "../inventory-database.ts";
import { localFolder } from "../local-folder.ts";
import { dropRetired } from "../rebuild/rebuild.ts";
import { type InventoryLocation, refreshIndexes } from "../table/table.ts";
import { keptVersionsFrom } from "../table/table-health.ts";

/**
 * Brings an inventory's files into their best form, whatever that costs: merges them, makes the index of vectors one
 * part, indexes all rows, and drops old versions, replaced tables and what killed processes left behind. Reads go on
 * meanwhile, writers wait.
 *
 * @throws what `signal` is aborted with while it waits for other writers.
 */
export async function compact(database: InventoryDatabase, signal?: AbortSignal): Promise<void> {
  await database.writeServing(async ({ table }) => {
    await refreshIndexes(table, { thorough: true });
    await table.optimize({
      cleanupOlderThan: await keptVersionsFrom(table),
      deleteUnverified: isOwn(database.location),
    });
    await dropRetired(database);
  }, signal);
}

/** Whether nobody can write but those who share the lock: files that no version has are then nobody's. */
function isOwn({ uri, lockFolder }: InventoryLocation): boolean {
  const folder = localFolder(uri);
  if (folder === undefined) {
    return false;
  }
  const path = relative(lockFolder, folder);
  return path !== "" && !path.startsWith("..");
}
