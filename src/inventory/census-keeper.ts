import { type Census, takeCensus } from "./census.ts";
import type { ReadableTable } from "./table-view.ts";

/** How counts are kept. */
export interface CensusKeeperOptions {
  /** Up to this many models are counted while somebody waits: some ten milliseconds. Default 10,000. */
  atOnce?: number;
  /** How often it is looked whether the table has changed, in milliseconds. Default 2,000. */
  lookEveryMs?: number;
}

/** A count that took a second is followed by another after nine at the earliest: writing goes on for hours at times. */
const REST = 9;

/**
 * Keeps the census of a table up to date beside all else: a large table is never counted while somebody waits, but for
 * the first time.
 *
 * The counts told are those of one version of the table: of up to 10,000 models the newest. Of more they follow a write
 * within 2 s and the time of one count, and writes that go on within ten times that. Nothing is stored, so nothing can
 * be wrong after a crash.
 */
export class CensusKeeper {
  readonly #table: ReadableTable;
  readonly #atOnce: number;
  readonly #lookEveryMs: number;
  #last: { census: Census; version: number; tookMs: number; endedAt: number } | undefined;
  #counting: Promise<Census> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(table: ReadableTable, { atOnce = 10_000, lookEveryMs = 2_000 }: CensusKeeperOptions = {}) {
    this.#table = table;
    this.#atOnce = atOnce;
    this.#lookEveryMs = lookEveryMs;
  }

  /** The census of the newest version that is counted. From the first call on it is kept up to date. */
  async read(): Promise<Census> {
    this.#timer ??= setInterval(() => this.#follow(), this.#lookEveryMs).unref();
    const version = await this.#table.version();
    const last = this.#last;
    if (last === undefined || (last.version < version && last.census.models <= this.#atOnce)) {
      const census = await this.#count();
      // It may have begun for another caller, before the last write.
      return this.#last !== undefined && this.#last.version < version ? this.#count() : census;
    }
    if (last.version < version) this.#follow();
    return last.census;
  }

  /** Ends the following. */
  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** Counts anew in the background where that is due. */
  async #follow(): Promise<void> {
    const last = this.#last;
    if (last === undefined || this.#isClosed || this.#counting !== undefined) return;
    if (performance.now() - last.endedAt < REST * last.tookMs) return;
    try {
      if ((await this.#table.version()) !== last.version) await this.#count();
    } catch {
      // The storage may be away for a while, or the table closed; the last counts hold until a later look.
    }
  }

  /** Counts, once for all who ask meanwhile. */
  #count(): Promise<Census> {
    this.#counting ??= this.#take().finally(() => {
      this.#counting = undefined;
    });
    return this.#counting;
  }

  async #take(): Promise<Census> {
    const began = performance.now();
    // Before the rows: of a write between the two it is told again.
    const version = await this.#table.version();
    const census = await takeCensus(this.#table);
    const endedAt = performance.now();
    this.#last = { census, version, tookMs: endedAt - began, endedAt };
    return census;
  }
}
