import { relative } from "node:path";
import type { InventoryDatabase } from "../inventory-database.ts";
import { localFolder } from "../local-folder.ts";
import { dropRetired } from "../rebuild/rebuild.ts";
import { type InventoryLocation, refreshIndexes } from "../table/table.ts";
import { keptVersionsFrom } from "../table/table-health.ts";

/**
 * Optimises the files of an inventory completely: merges them, rebuilds the index of vectors as one part, indexes all
 * rows, and drops old versions, replaced tables and files that killed processes left behind. Reads continue, writers
 * wait.
 *
 * @throws the reason of `signal` when it is aborted during the wait for other writers.
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

/** Whether all writers share the lock. Then files that belong to no version are left over. */
function isOwn({ uri, lockFolder }: InventoryLocation): boolean {
  const folder = localFolder(uri);
  if (folder === undefined) {
    return false;
  }
  const path = relative(lockFolder, folder);
  return path !== "" && !path.startsWith("..");
}
