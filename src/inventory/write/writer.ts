import type { Table } from "@lancedb/lancedb";
import { remember } from "../facts/past-facts.ts";
import type { RowState } from "../facts/source-facts.ts";
import type { Inventory } from "../inventory.ts";
import type { InventoryDatabase } from "../inventory-database.ts";
import { rowsTable } from "../table/arrow-rows.ts";
import { carryOutRemovals } from "../table/removals.ts";
import { latestRowChange, stateColumns } from "../table/rows.ts";
import { refreshIndexes, refreshKeyIndex } from "../table/table.ts";
import { type Amend, type PlannedWrite, planWrite, type WritePlan } from "./write-plan.ts";

/** Counts of the results for amended models. */
export interface AmendCounts {
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
}

/** Options of a writer. */
export interface WriterOptions {
  /** Whether this is the first filling of the inventory. */
  initial: boolean;
  /** Whether the caller holds the write lock. */
  holdsWriteLock?: boolean;
  /** Ends the wait for other writers. */
  signal?: AbortSignal;
}

/** A written batch. */
interface Step {
  table: Table;
  /** Versions of the table before and after it. */
  before: number;
  after: number;
  keys: ReadonlySet<string>;
  /** Number of the last write. */
  change: number;
}

/** The most keys without an index: each batch scans their rows one by one, file by file. */
const MOST_UNINDEXED_KEYS = 100_000;
const MOST_UNINDEXED_STEPS = 50;

/**
 * Writes models. A plan is prepared while others may write, and made again if another writer wrote first. Then each
 * batch is written in one atomic step.
 */
export class InventoryWriter {
  readonly #database: InventoryDatabase;
  readonly #options: WriterOptions;
  #last: Step | undefined;
  /** Keys and steps that were written since the last index of keys. */
  #unindexed = { keys: 0, steps: 0 };

  constructor(database: InventoryDatabase, options: WriterOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Number of the last write by this writer; undefined before the first. */
  get lastChange(): number | undefined {
    return this.#last?.change;
  }

  /** Amends models, also ones that the inventory lacks. Unchanged models are not written. */
  async amend(keys: readonly string[], amend: Amend): Promise<AmendCounts> {
    return this.carryOut(await this.plan(keys, amend));
  }

  /** Prepares a plan for `carryOut`, which may carry out an earlier plan at the same time. */
  async plan(keys: readonly string[], amend: Amend): Promise<WritePlan> {
    return planWrite(await this.#database.serving(), { keys, amend, vectors: new Map() });
  }

  /** Carries out a plan. */
  async carryOut(plan: WritePlan): Promise<AmendCounts> {
    if (plan.writes.length + plan.removals.length === 0) {
      return countsOf(plan);
    }
    return this.#writeServing(async (current) => {
      const latest = (await this.#holds(plan, current)) ? plan : await planWrite(current, replanInput(plan, current));
      await this.#write(latest);
      return countsOf(latest);
    });
  }

  /** Updates the indexes with the writes, if that is due. */
  async refreshIndexes(): Promise<void> {
    const { holdsWriteLock, signal } = this.#options;
    if (holdsWriteLock) {
      const serving = await this.#database.serving();
      await refreshIndexes(serving.table);
      await serving.follow();
    } else {
      await this.#database.writeServing(({ table }) => refreshIndexes(table), signal);
    }
  }

  async #writeServing<T>(work: (serving: Inventory) => Promise<T>): Promise<T> {
    const { holdsWriteLock, signal } = this.#options;
    return holdsWriteLock ? work(await this.#database.serving()) : this.#database.writeServing(work, signal);
  }

  /** Whether a plan is still valid: no write followed it, or only this writer's writes of other models. */
  async #holds({ inventory, version, keys }: WritePlan, current: Inventory): Promise<boolean> {
    if (inventory !== current) {
      return false;
    }
    const now = await current.table.version();
    if (version === now) {
      return true;
    }
    const last = this.#last;
    const isOwnStep = last?.table === current.table && last.before <= version && last.after === now;
    return isOwnStep && !keys.some((key) => last.keys.has(key));
  }

  async #write({ inventory, keys, writes, removals }: WritePlan): Promise<void> {
    const { table, encoder } = inventory;
    const database = this.#database;
    const before = await table.version();
    let change = await this.#latestChange(table);
    if (writes.length > 0) {
      const rows = writes.map((write) => ({ ...write.columns, ...stateColumns(this.#stateOf(write, ++change)) }));
      const data = await rowsTable(rows, encoder.dimensions);
      database.assertWriteLock();
      if (writes.every((write) => write.before === undefined)) {
        await table.add(data);
      } else {
        await table.mergeInsert("key").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(data);
      }
    }
    if (removals.length > 0) {
      const noted = removals.map((key) => ({ key, change: ++change }));
      database.assertWriteLock();
      await database.removals.note(noted);
      await carryOutRemovals(table, noted);
    }
    this.#unindexed.keys += writes.length;
    this.#unindexed.steps++;
    if (this.#unindexed.keys >= MOST_UNINDEXED_KEYS || this.#unindexed.steps >= MOST_UNINDEXED_STEPS) {
      await refreshKeyIndex(table);
      this.#unindexed = { keys: 0, steps: 0 };
    }
    this.#last = { table, before, after: await table.version(), keys: new Set(keys), change };
  }

  /** The number of the last write, after completing removals that a killed process left unfinished. */
  async #latestChange(table: Table): Promise<number> {
    const last = this.#last;
    if (last?.table === table && last.after === (await table.version())) {
      return last.change;
    }
    const ofRows = await latestRowChange(table);
    const removals = await this.#database.removals.after(ofRows);
    await carryOutRemovals(table, removals);
    return removals.at(-1)?.change ?? ofRows;
  }

  #stateOf({ facts, digest, before, replaced }: PlannedWrite, change: number): RowState {
    if (before === undefined) {
      const { initial } = this.#options;
      return { facts, digest, change, factsChange: change, addedChange: change, initial, past: [] };
    }
    const { factsChange, addedChange, initial, past } = before;
    const kept = { facts, digest, change, addedChange, initial };
    return replaced === undefined
      ? { ...kept, factsChange, past }
      : { ...kept, factsChange: change, past: remember({ until: change, ...replaced }, past) };
  }
}

/** The input for making a plan again. Vectors of another encoder are useless. */
function replanInput({ inventory, keys, amend, vectors }: WritePlan, current: Inventory) {
  return { keys, amend, vectors: inventory.encoder === current.encoder ? vectors : new Map<string, Float32Array>() };
}

function countsOf({ writes, removals, unchanged }: WritePlan): AmendCounts {
  const added = writes.filter(({ before }) => before === undefined).length;
  return { added, changed: writes.length - added, unchanged, removed: removals.length };
}

/**
 * Whether the next writes are the first filling of the inventory: it is empty and never removed a model. To followers
 * of changes, the models of the first filling have always existed, however many writes it takes.
 */
export async function isFirstFilling(database: InventoryDatabase): Promise<boolean> {
  const { table } = await database.serving();
  // Another process may have just filled it.
  await table.checkoutLatest();
  return (await table.countRows()) === 0 && (await database.removals.latest()) === 0;
}
