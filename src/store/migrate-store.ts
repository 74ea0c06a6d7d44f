import { applyMigrations, type MigrationReport } from "./apply-migrations.ts";
import { connectStore, type StoreOptions } from "./connect-store.ts";

/**
 * Brings the state to the newest schema, making it where there is none.
 *
 * @returns where the state is, and what was done.
 * @throws StoreError when it cannot be opened, or has a newer schema than this program knows.
 */
export async function migrateStore(options: StoreOptions): Promise<MigrationReport & { place: string }> {
  // On a connection of its own, which waits for as long as a large table takes.
  const store = await connectStore(options, { isPatient: true });
  try {
    return { place: store.place, ...(await applyMigrations(store)) };
  } finally {
    await store.close();
  }
}
