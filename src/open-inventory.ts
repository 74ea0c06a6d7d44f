import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { openEncoder } from "./embedding/open-encoder.ts";
import { ingest } from "./inventory/ingest.ts";
import { Inventory } from "./inventory/inventory.ts";
import { STARTER_GATHERED_AT, STARTER_MODELS, starterRecords } from "./sources/starter.ts";

/** What is told while the inventory is opened. */
export interface OpenInventoryOptions {
  /** Told while the starter catalogue is indexed: how many of how many models are done. */
  onStarter?: (done: number, total: number) => void;
}

/** Small enough that a progress bar moves. */
const STARTER_BATCH = 100;

/**
 * Opens the inventory that the configuration names, with its encoder, and indexes the starter catalogue into an empty
 * one where that is switched on.
 */
export async function openInventory(config: Config, { onStarter }: OpenInventoryOptions = {}): Promise<Inventory> {
  await mkdir(config.home, { recursive: true });
  const encoder = await openEncoder(config.encoder, { cacheDir: join(config.home, "encoders") });
  const inventory = await Inventory.open(
    { uri: config.inventoryUri, storageOptions: config.inventoryOptions },
    encoder,
  );
  if (config.starter && (await inventory.size()) === 0) {
    await ingest(inventory, starterRecords(), {
      source: "huggingface",
      seenAt: STARTER_GATHERED_AT,
      batchSize: STARTER_BATCH,
      onProgress: (done) => onStarter?.(done, STARTER_MODELS),
    });
  }
  return inventory;
}

/** Closes an inventory and its encoder. */
export async function closeInventory(inventory: Inventory): Promise<void> {
  inventory.close();
  await inventory.encoder.close();
}
