import { relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Inventory } from "../inventory.ts";
import { EncoderUnavailable, type InventoryDatabase } from "../inventory-database.ts";
import { droppable, dropRetired, RebuildOvertaken, rebuildBeside } from "../rebuild/rebuild.ts";
import { type InventoryLocation, localFolder, refreshIndexes } from "../table/table.ts";
import { dueMaintenance, keptVersionsFrom, tableHealth } from "../table/table-health.ts";
import { dropUnreadableIndexes } from "../table/unreadable-indexes.ts";

/** The log of the maintenance. Fastify's logger has this form. */
export interface MaintenanceLog {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** What the maintenance of an inventory needs. */
export interface MaintenanceOptions {
  /** The name of the encoder that should make the vectors. */
  encoder: string;
  /** Called when another table starts to serve. */
  onServing: (inventory: Inventory) => void;
  log: MaintenanceLog;
  /** Does the due work: merges files, indexes rows, drops old versions. Default: `maintain`, in this process. */
  maintain?: (signal: AbortSignal) => Promise<unknown>;
  /** How often it checks which table serves, in milliseconds. Default 5,000. */
  followEveryMs?: number;
  /** How often it checks whether work is due, in milliseconds. Default 60,000. */
  maintainEveryMs?: number;
}

/** The wait before the first check, in milliseconds. */
const FIRST_MS = 1_000;
/** How often the progress of a re-encoding is logged, in milliseconds. */
const LOG_EVERY_MS = 10_000;
/** The least pause after maintenance, in multiples of its time: it rewrites a large table. */
const MAINTENANCE_REST = 9;
/** The wait after a failure, in milliseconds: opening an encoder may mean a download. */
const RETRY_MS = 60_000;

/**
 * Maintains the inventory of a running service in the background: follows the serving table, re-encodes it for another
 * encoder, indexes new rows, and drops old versions and tables. Failures are logged and tried again.
 */
export class Maintenance {
  readonly #database: InventoryDatabase;
  readonly #options: MaintenanceOptions;
  readonly #stopped = new AbortController();
  readonly #running: Promise<unknown>;
  #current: Inventory;
  /** No maintenance before this time of performance.now(). */
  #restsUntil = 0;
  /** Why the serving table cannot be opened, and when to try again. */
  #problem: { message: string; retryAt: number } | undefined;

  /** Starts at once. @param serving the serving inventory. */
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

  /** Stops it. A later start continues unfinished work. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #every(ms: number, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopped;
    // The first check comes soon: a killed process may have left work.
    for (let wait = Math.min(ms, FIRST_MS); await waited(wait, signal); wait = ms) {
      await work().catch((error) => {
        if (!signal.aborted) {
          this.#options.log.error({ err: error }, "The maintenance of the inventory failed");
        }
      });
    }
  }

  /** Reports another serving inventory. */
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
      this.#options.log.info({ table, encoder }, "The inventory uses another table from now on");
      this.#options.onServing(serving);
    } catch (error) {
      // The replaced table serves until it is dropped.
      const { message } = error as Error;
      const isNew = message !== this.#problem?.message;
      this.#problem = { message, retryAt: Date.now() + RETRY_MS };
      const facts = error instanceof EncoderUnavailable ? {} : { err: error };
      if (isNew) {
        this.#options.log.error(facts, `The inventory has a new table, but it cannot be used: ${message}`);
      }
    }
  }

  async #maintain(): Promise<void> {
    const { signal } = this.#stopped;
    const current = this.#current;
    // Another table serves, which is not followed yet or cannot be opened.
    if ((await this.#database.servingGeneration())?.table !== current.generation.table) {
      return;
    }
    const isIndexed = await current.isIndexed();
    if (!isIndexed) {
      this.#options.log.warn({}, "An index of the inventory is missing or unreadable; it is being rebuilt");
    }
    // The health of an unreadable index cannot be read.
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

  /** Re-encodes once. If another service re-encodes for its own encoder later, this one follows. */
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
          "The inventory is being re-encoded; until then the old vectors are used",
        );
        const plan = { sources: [generation], built: "encoder", encoder, encoderName } as const;
        await rebuildBeside(this.#database, plan, { signal, onProgress: this.#logProgress() });
        log.info({ encoder: encoderName }, "The inventory has been re-encoded");
        await this.#follow();
        return;
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        // Another process came first; perhaps nothing is left to do.
        if (error instanceof RebuildOvertaken) {
          continue;
        }
        log.error({ err: error }, "Re-encoding the inventory failed; the next attempt follows in a minute");
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

/** Does all due work on the indexes and files of the serving inventory. */
export async function maintain(database: InventoryDatabase, signal: AbortSignal): Promise<void> {
  await repairIndexes(database, signal);
  await database.writeServing(({ table }) => refreshIndexes(table), signal);
}

/**
 * Creates missing indexes, as after a process that was killed between writing and indexing, and replaces unreadable
 * ones.
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

/** Waits. @returns true after the time, false if the signal aborted. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal, ref: false }).catch(() => false);
}

/**
 * Optimises the files of an inventory completely: merges them, rebuilds the index of vectors as one part, indexes all
 * rows, and drops old versions, replaced tables and files that killed processes left behind. Reads continue, writers
 * wait.
 *
 * @throws the reason of `signal` when it is aborted during the wait for other writers.
 */
export async function compact(database: InventoryDatabase, signal?: AbortSignal): Promise<void> {
  await database.writeServing(async ({ table }) => {
    await refreshIndexes(table, { thorough: true });
    await table.optimize({
      cleanupOlderThan: await keptVersionsFrom(table),
      deleteUnverified: isOwn(database.location),
    });
    await dropRetired(database);
  }, signal);
}

/** Whether all writers share the lock. Then files that belong to no version are left over. */
function isOwn({ uri, lockFolder }: InventoryLocation): boolean {
  const folder = localFolder(uri);
  if (folder === undefined) {
    return false;
  }
  const path = relative(lockFolder, folder);
  return path !== "" && !path.startsWith("..");
}
