import type { Inventory } from "../inventory.ts";
import { EncoderUnavailable, type InventoryDatabase } from "../inventory-database.ts";
import type { Generation } from "../table/generations.ts";
import { INVENTORY_SCHEMA } from "../table/schema.ts";
import { tableNames } from "../table/table.ts";
import { type RebuildOptions, rebuildLocked } from "./rebuild.ts";

/** Options of `openServing`. */
export interface OpenServingOptions extends RebuildOptions {
  /** The encoder of a new inventory, and of one whose encoder cannot be opened. */
  encoder: string;
}

/**
 * Opens the serving table with the encoder that made its vectors; creates an empty one if there is none.
 *
 * Rebuilds the table first if it has an older version, or vectors whose encoder can no longer be opened, such as the
 * bundled one of an older version of this program.
 *
 * @throws NewerInventory, and the reason of `signal` when it is aborted.
 */
export async function openServing(database: InventoryDatabase, options: OpenServingOptions): Promise<Inventory> {
  const usable = await openUsable(database, await database.servingGeneration());
  if (usable !== undefined) {
    return usable;
  }
  return database.withWriteLock(async () => {
    // Another process may have created it first.
    const serving = await database.servingGeneration({ fresh: true });
    const inventory = await openUsable(database, serving);
    if (inventory !== undefined) {
      return inventory;
    }
    const encoder = await database.encoder(options.encoder);
    const isCurrent = serving?.schema === INVENTORY_SCHEMA;
    const plan = {
      sources: serving === undefined ? await unversioned(database, encoder.id) : [serving],
      built: serving === undefined ? "first" : isCurrent ? "encoder" : "anew",
      encoder,
      encoderName: options.encoder,
    } as const;
    return database.inventoryOf(await rebuildLocked(database, plan, options));
  }, options.signal);
}

/** Opens the inventory of a generation; undefined when it must be rebuilt first. */
async function openUsable(
  database: InventoryDatabase,
  generation: Generation | undefined,
): Promise<Inventory | undefined> {
  if (generation === undefined || generation.schema < INVENTORY_SCHEMA) {
    return undefined;
  }
  return database.inventoryOf(generation).catch((error) => {
    if (error instanceof EncoderUnavailable) {
      return undefined;
    }
    throw error;
  });
}

/**
 * Lists the tables of the first version, which had one for each encoder and no generations; the given encoder's first.
 */
async function unversioned(database: InventoryDatabase, encoderId: string): Promise<Generation[]> {
  const own = `models-${encoderId.replace(/[^A-Za-z0-9_.-]+/g, "_")}`;
  const names = (await tableNames(database.connection)).filter((name) => /^models-(static|transformers)-/.test(name));
  return names
    .sort((a, b) => Number(b === own) - Number(a === own))
    .map((table) => ({
      table,
      state: "serving",
      schema: 1,
      encoder: "",
      encoderId: "",
      dimensions: 0,
      built: "first",
      since: Date.now(),
    }));
}
