import type { Data, List, Utf8 } from "apache-arrow";
import type { TaskType } from "../facts/task-types.ts";
import type { ReadableTable } from "./table-view.ts";

/** How many models the inventory holds of each family and task. */
export interface FacetCounts {
  models: number;
  families: ReadonlyMap<string, number>;
  /** By hub label. */
  labels: ReadonlyMap<string, number>;
  /** By task type. */
  types: ReadonlyMap<TaskType, number>;
}

/** Counts the models of each family and task by reading three columns of every row: a second for a million. */
export async function countFacets(table: ReadableTable): Promise<FacetCounts> {
  const families = new Map<string, number>();
  const labels = new Map<string, number>();
  const types = new Map<string, number>();
  let models = 0;
  for await (const batch of table.query().select(["family", "labels", "types"])) {
    models += batch.numRows;
    // Column by column: row by row takes seven times as long.
    for (const data of batch.getChild("family")?.data ?? []) {
      countAll(families, data, 0, data.length);
    }
    for (const data of batch.getChild("labels")?.data ?? []) {
      countItems(labels, data);
    }
    for (const data of batch.getChild("types")?.data ?? []) {
      countItems(types, data);
    }
  }
  return { models, families, labels, types: types as Map<TaskType, number> };
}

function countItems(counts: Map<string, number>, lists: Data<List<Utf8>>): void {
  const items = lists.children[0] as Data<Utf8>;
  countAll(counts, items, lists.valueOffsets[0] as number, lists.valueOffsets[lists.length] as number);
}

function countAll(counts: Map<string, number>, { values, valueOffsets }: Data<Utf8>, from: number, to: number): void {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  for (let i = from; i < to; i++) {
    const value = bytes.toString("utf8", valueOffsets[i], valueOffsets[i + 1]);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
}

/** How counts are kept. */
export interface FacetCounterOptions {
  /** Up to this many models are counted while somebody waits: some ten milliseconds. Default 10,000. */
  atOnce?: number;
  /** How often it is looked whether the table has changed, in milliseconds. Default 2,000. */
  lookEveryMs?: number;
}

/** A count that took a second is followed by another after nine at the earliest: writing goes on for hours at times. */
const REST = 9;

/**
 * Keeps the counts of a table up to date beside all else: a large table is never counted while somebody waits, but for
 * the first time.
 *
 * The counts told are those of one version of the table: of up to 10,000 models the newest. Of more they follow a write
 * within 2 s and the time of one count, and writes that go on within ten times that. Nothing is stored, so nothing can
 * be wrong after a crash.
 */
export class FacetCounter {
  readonly #table: ReadableTable;
  readonly #atOnce: number;
  readonly #lookEveryMs: number;
  #last: { counts: FacetCounts; version: number; tookMs: number; endedAt: number } | undefined;
  #counting: Promise<FacetCounts> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(table: ReadableTable, { atOnce = 10_000, lookEveryMs = 2_000 }: FacetCounterOptions = {}) {
    this.#table = table;
    this.#atOnce = atOnce;
    this.#lookEveryMs = lookEveryMs;
  }

  /** The counts of the newest version that is counted. From the first call on it is kept up to date. */
  async read(): Promise<FacetCounts> {
    this.#timer ??= setInterval(() => this.#follow(), this.#lookEveryMs).unref();
    const version = await this.#table.version();
    const last = this.#last;
    if (last === undefined || (last.version < version && last.counts.models <= this.#atOnce)) {
      const counts = await this.#count();
      // It may have begun for another caller, before the last write.
      return this.#last !== undefined && this.#last.version < version ? this.#count() : counts;
    }
    if (last.version < version) {
      this.#follow();
    }
    return last.counts;
  }

  /** Ends the following. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** Counts anew in the background where that is due. */
  async #follow(): Promise<void> {
    const last = this.#last;
    if (last === undefined || this.#isClosed || this.#counting !== undefined) {
      return;
    }
    if (performance.now() - last.endedAt < REST * last.tookMs) {
      return;
    }
    try {
      if ((await this.#table.version()) !== last.version) {
        await this.#count();
      }
    } catch {
      // The storage may be away for a while, or the table closed; the last counts hold until a later look.
    }
  }

  /** Counts, once for all who ask meanwhile. */
  #count(): Promise<FacetCounts> {
    this.#counting ??= this.#take().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #take(): Promise<FacetCounts> {
    const began = performance.now();
    // Before the rows: of a write between the two it is told again.
    const version = await this.#table.version();
    const counts = await countFacets(this.#table);
    const endedAt = performance.now();
    this.#last = { counts, version, tookMs: endedAt - began, endedAt };
    return counts;
  }
}

/** Conditions whose count is remembered; callers choose them, so they are bounded. */
const REMEMBERED = 1_000;

/** How many rows of a table meet conditions. Counted again after a change of the table only. */
export class ConditionCounts {
  readonly #table: ReadableTable;
  #version = -1;
  #byCondition = new Map<string, number>();

  constructor(table: ReadableTable) {
    this.#table = table;
  }

  /** Number of rows that meet a condition. */
  async count(condition: string): Promise<number> {
    const version = await this.#table.version();
    if (this.#version !== version) {
      this.#version = version;
      this.#byCondition = new Map();
    }
    const byCondition = this.#byCondition;
    const known = byCondition.get(condition);
    if (known !== undefined) {
      return known;
    }
    const count = await this.#table.countRows(condition);
    if (byCondition.size >= REMEMBERED) {
      byCondition.clear();
    }
    byCondition.set(condition, count);
    return count;
  }
}
