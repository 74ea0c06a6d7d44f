import type { Data, List, Utf8 } from "apache-arrow";
import type { TaskType } from "../facts/task-types.ts";
import type { ReadableTable } from "./table-view.ts";

/** How many models of each family and task the inventory has. */
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

/** Options of a FacetCounter. */
export interface FacetCounterOptions {
  /** Up to this many models are counted while the caller waits: some ten milliseconds. Default 10,000. */
  atOnce?: number;
  /** How often it checks whether the table has changed, in milliseconds. Default 2,000. */
  lookEveryMs?: number;
}

/** The pause after a count, in multiples of its time: writes may continue for hours. */
const REST = 9;

/**
 * Keeps the facet counts of a table up to date in the background. Callers wait for a count of a large table only the
 * first time.
 *
 * The counts are those of one version of the table: up to 10,000 models, of the newest. Above, they follow a single
 * write within 2 s and the time of one count, and continuous writes within ten times that. Nothing is stored, so a
 * crash leaves nothing wrong.
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

  /** The counts of the newest counted version. The first call starts the updates in the background. */
  async read(): Promise<FacetCounts> {
    this.#timer ??= setInterval(() => this.#follow(), this.#lookEveryMs).unref();
    const version = await this.#table.version();
    const last = this.#last;
    if (last === undefined || (last.version < version && last.counts.models <= this.#atOnce)) {
      const counts = await this.#count();
      // The count may have begun for another caller, before the last write.
      return this.#last !== undefined && this.#last.version < version ? this.#count() : counts;
    }
    if (last.version < version) {
      this.#follow();
    }
    return last.counts;
  }

  /** Ends the updates. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** Counts again in the background if that is due. */
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
      // The storage may be away for a while, or the table closed. The last counts stay until the next check.
    }
  }

  /** Counts, once for all callers that ask during the count. */
  #count(): Promise<FacetCounts> {
    this.#counting ??= this.#take().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #take(): Promise<FacetCounts> {
    const began = performance.now();
    // Before the rows: after a write between the two, the next check counts again.
    const version = await this.#table.version();
    const counts = await countFacets(this.#table);
    const endedAt = performance.now();
    this.#last = { counts, version, tookMs: endedAt - began, endedAt };
    return counts;
  }
}

/** The most conditions whose count is cached. Callers choose them. */
const CACHED_CONDITIONS = 1_000;

/** Counts the rows that meet a condition, again only after the table has changed. */
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
    if (byCondition.size >= CACHED_CONDITIONS) {
      byCondition.clear();
    }
    byCondition.set(condition, count);
    return count;
  }
}
