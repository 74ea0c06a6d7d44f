import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { LastSync } from "../sync/last-syncs.ts";

/** How the last sync of each source went; undefined where the state cannot say. Makes no state where there is none. */
export async function readLastSyncs(config: Config): Promise<LastSync[] | undefined> {
  const { connectStore, STORE_FILE } = await import("../store/connect-store.ts");
  const { lastSyncs } = await import("../sync/last-syncs.ts");
  if (config.databaseUrl === undefined && !existsSync(join(config.home, STORE_FILE))) return [];
  try {
    const store = await connectStore(config);
    try {
      return await lastSyncs(store);
    } finally {
      await store.close();
    }
  } catch {
    // The inventory's status is worth telling while the state is down, or of an older schema.
    return undefined;
  }
}
