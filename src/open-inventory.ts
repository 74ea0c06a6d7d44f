import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { openEncoder } from "./embedding/open-encoder.ts";
import { ingestAlone } from "./inventory/ingest.ts";
import { Inventory } from "./inventory/inventory.ts";
import type { SourceRecord } from "./inventory/record.ts";
import { STARTER_GATHERED_AT, STARTER_MODELS, starterRecords } from "./sources/starter.ts";

/** What is told while the inventory is opened. */
export interface OpenInventoryOptions {
  /** Told while the starter catalogue is indexed: how many of how many models are done. */
  onStarter?: (done: number, total: number) => void;
  /** Stops waiting for another process that writes. */
  signal?: AbortSignal;
}

/**
 * Opens the inventory that the configuration names, with its encoder, and indexes the starter catalogue into an empty
 * one where that is switched on.
 *
 * @throws what `signal` is aborted with while another process writes.
 */
export async function openInventory(
  config: Config,
  { onStarter, signal }: OpenInventoryOptions = {},
): Promise<Inventory> {
  await mkdir(config.home, { recursive: true });
  const encoder = await openEncoder(config.encoder, { cacheDir: join(config.home, "encoders") });
  const { inventoryUri: uri, inventoryOptions: storageOptions, home: lockFolder } = config;
  const inventory = await Inventory.open({ uri, storageOptions, lockFolder }, encoder);
  try {
    if (config.starter && (await inventory.size()) === 0)
      await inventory.exclusively(() => indexStarter(inventory, onStarter), signal);
    await inventory.repairIndexes(signal);
    return inventory;
  } catch (error) {
    await closeInventory(inventory);
    throw error;
  }
}

async function indexStarter(inventory: Inventory, onStarter: OpenInventoryOptions["onStarter"]): Promise<void> {
  // Another process may have been first.
  if ((await inventory.size()) > 0) return;
  await ingestAlone(inventory, counted(starterRecords(), onStarter), {
    source: "huggingface",
    seenAt: STARTER_GATHERED_AT,
    // In one write: an inventory that was half filled when its process died would never be filled.
    batchSize: Number.POSITIVE_INFINITY,
  });
}

async function* counted(
  records: AsyncIterable<SourceRecord>,
  onStarter: OpenInventoryOptions["onStarter"],
): AsyncGenerator<SourceRecord> {
  let done = 0;
  for await (const record of records) {
    yield record;
    done++;
    onStarter?.(done, STARTER_MODELS);
  }
}

/** Closes an inventory and its encoder. */
export async function closeInventory(inventory: Inventory): Promise<void> {
  inventory.close();
  await inventory.encoder.close();
}
