import { VERSIONS_KEPT_MS } from "./due-care.ts";
import type { Generation } from "./generations.ts";
import type { InventoryDatabase } from "./inventory-database.ts";
import { dropTables } from "./rebuild.ts";

/** The tables that others replaced so long ago that nobody can be reading them any more. */
export function droppable(generations: readonly Generation[], now: number): Generation[] {
  return generations.filter(({ state, since }) => state === "retired" && now - since > VERSIONS_KEPT_MS);
}

/** Drops the tables that were replaced long ago. For the only writer. */
export async function dropRetired(database: InventoryDatabase): Promise<void> {
  const all = await database.generations.list({ fresh: true });
  const old = droppable(all, Date.now());
  if (old.length === 0) return;
  await dropTables(database, old);
  database.assertAlone();
  await database.generations.save(all.filter((generation) => !old.includes(generation)));
}
