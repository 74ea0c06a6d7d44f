import { connectStore, type StoreOptions } from "./connect-store.ts";
import { migrateStore } from "./migrate-store.ts";
import type { Store } from "./store.ts";

/**
 * Opens the state and brings it to the newest schema. Processes may share it.
 *
 * @throws StoreError when it cannot be opened, or has a newer schema than this program knows.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  await migrateStore(options);
  return connectStore(options);
}
