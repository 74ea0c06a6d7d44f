import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "../config/index.ts";
import { openEncoder } from "../embedding/index.ts";
import {
  explained,
  type Inventory,
  InventoryDatabase,
  type InventoryMemory,
  ingest,
  lossOf,
  openServing,
  recognise,
  repairIndexes,
  type SourceRecord,
  type WriteLease,
} from "../inventory/index.ts";
import { STARTER_GATHERED_AT, STARTER_MODELS, starterRecords } from "../sources/index.ts";
import { openStore, STORE_FILE, type Store, StoreError, withLease } from "../store/index.ts";
import { putSetting, readSetting } from "../store/tables/index.ts";

/** The configuration that tells where the inventory is. */
type LocationConfig = Pick<Config, "home" | "databaseUrl" | "inventoryUri" | "inventoryOptions">;

/** What is told while the inventory is opened. */
export interface OpenInventoryOptions {
  /** Told while the starter catalogue is indexed: how many of how many models are done. */
  onStarter?: (done: number, total: number) => void;
  /** Told while an inventory that cannot be used as it is gets rebuilt: how many of how many models are done. */
  onRebuild?: (done: number, total: number) => void;
  /** Whether the configured encoder must be there, also where the vectors are of another: for who re-encodes. */
  needsEncoder?: boolean;
  /** Whether it is looked that the rows can be read, for who opens it for long. Default: no. */
  readsRows?: boolean;
  /** Goes on with what is there where something of the inventory, or the state beside it, was lost. Default: no. */
  acceptLoss?: boolean;
  /** Stops waiting for another process that writes, and a rebuild. */
  signal?: AbortSignal;
}

/** An inventory that serves, and the database that it is in: closing the database closes both. */
export interface OpenedInventory {
  database: InventoryDatabase;
  inventory: Inventory;
}

/**
 * Opens the inventory that the configuration names, with the encoder that made its vectors, and indexes the starter
 * catalogue into an empty one where that is switched on. The configured encoder is that of a new inventory; one of
 * other vectors is re-encoded by a server (see maintenance.ts) or `modelscout inventory rebuild`.
 *
 * @throws InventoryLoss where something of it, or the state beside it, was lost; OperatorError where it cannot be read
 * or written; what `signal` is aborted with while another process writes.
 */
export async function openInventory(
  config: LocationConfig & Pick<Config, "encoder" | "starter">,
  { onStarter, onRebuild, needsEncoder = false, readsRows = false, acceptLoss, signal }: OpenInventoryOptions = {},
): Promise<OpenedInventory> {
  // The state beside it, with its keys, is for its owner's eyes alone.
  await mkdir(config.home, { recursive: true, mode: 0o700 });
  const state = new SharedState(config);
  const database = await connectWith(config, state).catch((error) => {
    throw explained(error, config.inventoryUri);
  });
  try {
    await recognise(database, memoryIn(state), { acceptLoss, signal });
    const encoder = encoderName(config.encoder);
    if (needsEncoder) {
      await database.encoder(encoder);
    }
    const inventory = await openServing(database, {
      encoder,
      onProgress: onRebuild,
      signal,
      catalogueSeenAt: STARTER_GATHERED_AT,
    });
    if (readsRows) {
      await inventory.readEveryRow();
    }
    if (config.starter && (await inventory.table.countRows()) === 0) {
      await database.writeServing(({ table }) => indexStarter(database, table, onStarter), signal);
    }
    await repairIndexes(database, signal);
    return { database, inventory };
  } catch (error) {
    await database.close();
    await state.close();
    throw explained(error, config.inventoryUri);
  }
}

/** Connects to the database of the inventory that the configuration names. Creates nothing. */
export async function connectDatabase(config: LocationConfig): Promise<InventoryDatabase> {
  return connectWith(config, new SharedState(config));
}

function connectWith(config: LocationConfig, state: SharedState): Promise<InventoryDatabase> {
  const { inventoryUri: uri, inventoryOptions: storageOptions, home: lockFolder } = config;
  const cacheDir = join(config.home, "encoders");
  const open = (name: string) => openEncoder(name, { cacheDir });
  return InventoryDatabase.connect({ uri, storageOptions, lockFolder }, open, leaseOf(config, state));
}

/** The state beside an inventory, opened when it is first needed. */
class SharedState {
  readonly #config: LocationConfig;
  #opening: Promise<Store> | undefined;

  constructor(config: LocationConfig) {
    this.#config = config;
  }

  open(): Promise<Store> {
    this.#opening ??= openStore(this.#config);
    this.#opening.catch(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }
}

/** What keeps replicas from writing at once: a lease in the state that they share; none where they share none. */
function leaseOf(config: LocationConfig, state: SharedState): WriteLease | undefined {
  if (config.databaseUrl === undefined) {
    return undefined;
  }
  return {
    async hold(what, work, signal) {
      return withLease(await state.open(), { name: `${what} ${config.inventoryUri}`, signal }, work);
    },
    close: () => state.close(),
  };
}

/** The setting of the state that holds what it knows of its inventory. */
const KNOWN = "inventory";

/** What the state knows of its inventory. */
function memoryIn(state: SharedState): InventoryMemory {
  return {
    place: async () => (await state.open()).place,
    async read() {
      const value = await readSetting((await state.open()).db, KNOWN);
      return value === undefined ? undefined : JSON.parse(value);
    },
    async write(known) {
      // A note that a power failure takes back is of what the same failure may have taken back.
      await (await state.open()).relaxed((db) => putSetting(db, KNOWN, JSON.stringify(known)));
    },
    close: () => state.close(),
  };
}

/**
 * What was lost of the inventory, or of the state beside it, since it was written, or why that cannot be said; undefined
 * where nothing was. Makes no state where there is none.
 */
export async function inventoryLoss(config: LocationConfig, database: InventoryDatabase): Promise<string | undefined> {
  const file = join(config.home, STORE_FILE);
  if (config.databaseUrl === undefined && !existsSync(file)) {
    return lossOf(database, nothingKnown(file));
  }
  const state = new SharedState(config);
  try {
    return await lossOf(database, memoryIn(state));
  } catch (error) {
    if (error instanceof StoreError) {
      return error.message;
    }
    throw error;
  } finally {
    await state.close();
  }
}

function nothingKnown(file: string): InventoryMemory {
  return { place: async () => file, read: async () => undefined, write: async () => {}, close: async () => {} };
}

/** What names an encoder for every process that reads the inventory: a folder by its whole path. */
export function encoderName(configured: string): string {
  const isFolder = configured !== "bundled" && statSync(configured, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder ? resolve(configured) : configured;
}

async function indexStarter(
  database: InventoryDatabase,
  table: Inventory["table"],
  onStarter: OpenInventoryOptions["onStarter"],
): Promise<void> {
  // Another process may have been first.
  if ((await table.countRows()) > 0) {
    return;
  }
  await ingest(database, counted(starterRecords(), onStarter), {
    source: "huggingface",
    seenAt: STARTER_GATHERED_AT,
    catalogue: true,
    // In one write: an inventory that was half filled when its process died would never be filled.
    batchSize: Number.POSITIVE_INFINITY,
    holdsWriteLock: true,
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
