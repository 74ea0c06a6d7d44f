import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "../config/index.ts";
import { openEncoder } from "../embedding/index.ts";
import {
  explainedFault,
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

/** The configuration of the inventory's place. */
type LocationConfig = Pick<Config, "home" | "databaseUrl" | "inventoryUri" | "inventoryOptions" | "hubUrl"> &
  // A process that only writes needs none.
  Partial<Pick<Config, "searchBytes">>;

/** Options of openInventory(). */
export interface OpenInventoryOptions {
  /** Called with the progress while the starter catalogue is indexed. */
  onStarter?: (done: number, total: number) => void;
  /** Called with the progress while an inventory of an older version is rebuilt. */
  onRebuild?: (done: number, total: number) => void;
  /** Whether the configured encoder must be available even if another one made the vectors: for re-encoding. */
  needsEncoder?: boolean;
  /** Whether to check that the rows can be read, for a long-running process. Default: no. */
  readsRows?: boolean;
  /** Whether to continue with the rest if a part of the inventory, or of the state beside it, was lost. Default: no. */
  acceptLoss?: boolean;
  /** Stops a rebuild, and waiting for another process that writes. */
  signal?: AbortSignal;
}

/** An inventory that serves, and its database. Closing the database closes both. */
export interface OpenedInventory {
  database: InventoryDatabase;
  inventory: Inventory;
}

/**
 * Opens the configured inventory with the encoder that made its vectors, and indexes the starter catalogue into an
 * empty one if that is switched on. The configured encoder applies to a new inventory; a server (see maintenance.ts) or
 * `modelscout inventory rebuild` re-encodes one with other vectors.
 *
 * @throws InventoryLoss if a part of it, or of the state beside it, was lost; OperatorError if it cannot be read or
 * written; the reason of `signal` if that aborts while another process writes.
 */
export async function openInventory(
  config: LocationConfig & Pick<Config, "encoder" | "starter">,
  { onStarter, onRebuild, needsEncoder = false, readsRows = false, acceptLoss, signal }: OpenInventoryOptions = {},
): Promise<OpenedInventory> {
  // Only the owner may read the state beside it, which has the keys.
  await mkdir(config.home, { recursive: true, mode: 0o700 });
  const state = new SharedState(config);
  const database = await connectWith(config, state).catch((error) => {
    throw explainedFault(error, config.inventoryUri);
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
    throw explainedFault(error, config.inventoryUri);
  }
}

/** Connects to the database of the configured inventory. Creates nothing. */
export async function connectDatabase(config: LocationConfig): Promise<InventoryDatabase> {
  return connectWith(config, new SharedState(config));
}

function connectWith(config: LocationConfig, state: SharedState): Promise<InventoryDatabase> {
  const { inventoryUri: uri, inventoryOptions: storageOptions, searchBytes, home: lockFolder } = config;
  const cacheDir = join(config.home, "encoders");
  const open = (name: string) => openEncoder(name, { cacheDir, hubUrl: config.hubUrl });
  return InventoryDatabase.connect({ uri, storageOptions, searchBytes, lockFolder }, open, leaseOf(config, state));
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

/** The lease that lets one replica write at a time, in the state that they share; none without a shared state. */
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

/** The setting of the state that holds the facts about its inventory. */
const KNOWN = "inventory";

/** The facts about its inventory in the state. */
function memoryIn(state: SharedState): InventoryMemory {
  return {
    place: async () => (await state.open()).place,
    async read() {
      const value = await readSetting((await state.open()).db, KNOWN);
      return value === undefined ? undefined : JSON.parse(value);
    },
    async write(known) {
      // A power failure that undoes this note may also undo the write that it is about.
      await (await state.open()).relaxed(putSetting, KNOWN, JSON.stringify(known));
    },
    close: () => state.close(),
  };
}

/**
 * Describes what was lost of the inventory, or of the state beside it, or why that cannot be found out; undefined if
 * nothing was. It creates no state.
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

/** The name of an encoder for all processes that read the inventory: for a folder its absolute path. */
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
    // In one write: after a crash a half filled inventory would never be completed.
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
