import { setTimeout as sleep } from "node:timers/promises";
import type { Inventory } from "../inventory.ts";
import { EncoderUnavailable, type InventoryDatabase } from "../inventory-database.ts";
import { droppable, dropRetired, RebuildOvertaken, rebuildBeside } from "../rebuild/rebuild.ts";
import { refreshIndexes } from "../table/table.ts";
import { dueMaintenance, tableHealth } from "../table/table-health.ts";
import { dropUnreadableIndexes } from "../table/unreadable-indexes.ts";

/** Where it is told what maintenance does: Fastify's logger has this form. */
export interface MaintenanceLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** What the maintenance of an inventory needs. */
export interface MaintenanceOptions {
  /** The name of the encoder that vectors are to be of. */
  encoder: string;
  /** Told when another table serves. */
  onServing: (inventory: Inventory) => void;
  log: MaintenanceLog;
  /** Does what is due: merges files, indexes rows, drops old versions. Default: here and now. */
  maintain?: (signal: AbortSignal) => Promise<unknown>;
  /** How often it is looked which table serves, in milliseconds. Default 5,000. */
  followEveryMs?: number;
  /** How often the table is looked at, in milliseconds. Default 60,000. */
  maintainEveryMs?: number;
}

/** When it is looked for the first time, in milliseconds. */
const FIRST_MS = 1_000;
/** How often a running re-encoding is logged, in milliseconds. */
const LOG_EVERY_MS = 10_000;
/** After care that took a second, the next begins nine later at the earliest: a large table is rewritten by it. */
const MAINTENANCE_REST = 9;
/** How long after a failure it is tried again, in milliseconds: opening an encoder may mean to download it. */
const RETRY_MS = 60_000;

/**
 * Keeps the inventory of a running service: follows the table that serves, re-encodes it for another encoder beside all
 * else, indexes new rows, and drops what is old. What goes wrong is logged and tried again; nothing waits for it.
 */
export class Maintenance {
  readonly #database: InventoryDatabase;
  readonly #options: MaintenanceOptions;
  readonly #stopped = new AbortController();
  readonly #running: Promise<unknown>;
  #current: Inventory;
  /** No care before this time of performance.now(). */
  #restsUntil = 0;
  /** Why the table that is to serve cannot, and when that is tried again. */
  #problem: { told: string; retryAt: number } | undefined;

  /** Begins at once. @param serving the inventory that serves now. */
  constructor(database: InventoryDatabase, serving: Inventory, options: MaintenanceOptions) {
    this.#current = serving;
    this.#database = database;
    this.#options = options;
    const { followEveryMs = 5_000, maintainEveryMs = 60_000 } = options;
    this.#running = Promise.all([
      this.#every(followEveryMs, () => this.#follow()),
      this.#every(maintainEveryMs, () => this.#maintain()),
      this.#reencode(),
    ]);
  }

  /** Ends it; what is half done is gone on with later. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    // Soon for the first time: a process that was killed may have left much to do.
    for (let wait = Math.min(ms, FIRST_MS); await waited(wait, signal); wait = ms) {
      await work().catch((error) => {
        if (!signal.aborted) {
          this.#options.log.error({ err: error }, "The maintenance of the inventory failed");
        }
      });
    }
  }

  /** Hands out the inventory that serves, when that is another. */
  async #follow(): Promise<void> {
    if (this.#problem !== undefined && Date.now() < this.#problem.retryAt) {
      return;
    }
    try {
      const serving = await this.#database.serving();
      this.#problem = undefined;
      if (serving === this.#current) {
        return;
      }
      this.#current = serving;
      const { table, encoder } = serving.generation;
      this.#options.log.info({ table, encoder }, "Another table of the inventory serves from now on");
      this.#options.onServing(serving);
    } catch (error) {
      // The table that was replaced serves on until it is dropped.
      const told = (error as Error).message;
      const isNew = told !== this.#problem?.told;
      this.#problem = { told, retryAt: Date.now() + RETRY_MS };
      const facts = error instanceof EncoderUnavailable ? {} : { err: error };
      if (isNew) {
        this.#options.log.error(facts, `Another table of the inventory is to serve, and cannot: ${told}`);
      }
    }
  }

  async #maintain(): Promise<void> {
    const { signal } = this.#stopped;
    const current = this.#current;
    // Another one is not followed yet, or cannot be.
    if ((await this.#database.servingGeneration())?.table !== current.generation.table) {
      return;
    }
    const isIndexed = await current.isIndexed();
    if (!isIndexed) {
      this.#options.log.warn({}, "An index of the inventory is missing or unreadable; it is made again");
    }
    // An unreadable index has no health to look at.
    const { optimise, retrain } = isIndexed ? dueMaintenance(await tableHealth(current.table), Date.now()) : nothingDue;
    if ((optimise || retrain || !isIndexed) && performance.now() >= this.#restsUntil) {
      const began = performance.now();
      const { maintain: run = () => maintain(this.#database, signal) } = this.#options;
      try {
        await run(signal);
      } finally {
        const ended = performance.now();
        this.#restsUntil = ended + MAINTENANCE_REST * (ended - began);
      }
    }
    if (droppable(await this.#database.generations.list(), Date.now()).length > 0) {
      await this.#database.withWriteLock(() => dropRetired(this.#database), signal);
    }
  }

  /** Once: an inventory that another service re-encodes for its own encoder is followed and not fought over. */
  async #reencode(): Promise<void> {
    const { signal } = this.#stopped;
    const { log, encoder: encoderName } = this.#options;
    for (;;) {
      try {
        const encoder = await this.#database.encoder(encoderName);
        const { generation } = await this.#database.serving({ fresh: true });
        if (generation.encoderId === encoder.id) {
          return;
        }
        log.info(
          { from: generation.encoder, to: encoderName },
          "The inventory is re-encoded; the old vectors serve on",
        );
        const plan = { sources: [generation], built: "encoder", encoder, encoderName } as const;
        await rebuildBeside(this.#database, plan, { signal, onProgress: this.#logProgress() });
        log.info({ encoder: encoderName }, "The inventory is re-encoded");
        await this.#follow();
        return;
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        // Another process came first; maybe there is nothing left to do.
        if (error instanceof RebuildOvertaken) {
          continue;
        }
        log.error({ err: error }, "Re-encoding the inventory failed; it goes on in a while");
      }
      if (!(await waited(RETRY_MS, signal))) {
        return;
      }
    }
  }

  #logProgress(): (done: number, total: number) => void {
    let last = performance.now();
    return (done, total) => {
      if (performance.now() - last < LOG_EVERY_MS) {
        return;
      }
      last = performance.now();
      this.#options.log.info({ done, total }, `${done} of ${total} models are re-encoded`);
    };
  }
}

const nothingDue = { optimise: false, retrain: false } as const;

/** Does all that is due for the indexes and files of the inventory that serves. */
export async function maintain(database: InventoryDatabase, signal: AbortSignal): Promise<void> {
  await repairIndexes(database, signal);
  await database.writeServing(({ table }) => refreshIndexes(table), signal);
}

/**
 * Makes the indexes that are missing, as after a process that was killed between writing and indexing, and replaces
 * those that cannot be read.
 */
export async function repairIndexes(database: InventoryDatabase, signal?: AbortSignal): Promise<void> {
  if (await (await database.serving()).isIndexed()) {
    return;
  }
  await database.writeServing(async ({ table }) => {
    await dropUnreadableIndexes(table);
    await refreshIndexes(table);
  }, signal);
}

/** Waits. @returns whether the time went by; false when the signal aborted. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal, ref: false }).catch(() => false);
}
