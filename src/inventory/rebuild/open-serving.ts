import type { Inventory } from "../inventory.ts";
import { EncoderUnavailable, type InventoryDatabase } from "../inventory-database.ts";
import type { Generation } from "../table/generations.ts";
import { INVENTORY_SCHEMA } from "../table/schema.ts";
import { tableNames } from "../table/table.ts";
import { type RebuildOptions, rebuildLocked } from "./rebuild.ts";

/** How an inventory is opened. */
export interface OpenServingOptions extends RebuildOptions {
  /** Names the encoder of a new inventory, and of one whose own encoder is gone. */
  encoder: string;
}

/**
 * Opens the table that serves, with the encoder that made its vectors; makes an empty one where there is none.
 *
 * One that cannot be used as it is, is rebuilt before: of an older version, or with vectors whose encoder cannot be
 * opened any more, such as the one that an older version of this program brought.
 *
 * @throws NewerInventory, and what `signal` is aborted with.
 */
export async function openServing(database: InventoryDatabase, options: OpenServingOptions): Promise<Inventory> {
  const usable = await openUsable(database, await database.servingGeneration());
  if (usable !== undefined) {
    return usable;
  }
  return database.withWriteLock(async () => {
    // Another process may have been first.
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

/** The inventory of a generation; undefined when it must be rebuilt first. */
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

/** The first version had a table for each encoder and no generations; that of the given encoder comes first. */
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
