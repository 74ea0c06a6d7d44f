import { ExactSearch, exactSearchBytes } from "./exact-search.ts";
import type { ReadableTable } from "./table-view.ts";

/** Searches before the first load. A command that recommends once and ends gains nothing by it. */
const SEARCHES_BEFORE = 15;
/** The pause after a load, in multiples of its time: writes may continue for hours. */
const REST = 9;

/**
 * Keeps the version of a table that reads use in memory for searches, if it is small enough. Until a version is loaded,
 * and while writes follow each other so fast that loading would take more than a tenth of a processor core, there is no
 * ExactSearch, and LanceDB searches.
 */
export class ExactSearchLoader {
  readonly #table: ReadableTable;
  readonly #dimensions: number;
  readonly #mostBytes: number;
  #searches = 0;
  #loaded: { version: number; exact: ExactSearch | undefined } | undefined;
  #loading: Promise<void> | undefined;
  #restsUntil = 0;
  #isClosed = false;

  /** @param mostBytes the most memory that it may take. */
  constructor(table: ReadableTable, dimensions: number, mostBytes: number) {
    this.#table = table;
    this.#dimensions = dimensions;
    this.#mostBytes = mostBytes;
  }

  /** The search of the present version; undefined when it is not loaded. Loads it in the background if that is due. */
  async search(): Promise<ExactSearch | undefined> {
    const version = await this.#table.version();
    if (this.#loaded?.version === version) {
      return this.#loaded.exact;
    }
    // The memory of older versions is no longer needed.
    this.#loaded = undefined;
    const isDue = ++this.#searches > SEARCHES_BEFORE && performance.now() >= this.#restsUntil;
    if (isDue && this.#loading === undefined && !this.#isClosed) {
      this.#loading = this.#load(version).finally(() => {
        this.#loading = undefined;
      });
    }
    return undefined;
  }

  async #load(version: number): Promise<void> {
    const began = performance.now();
    try {
      const isSmall = exactSearchBytes(await this.#table.countRows(), this.#dimensions) <= this.#mostBytes;
      const exact = isSmall ? await ExactSearch.load(this.#table, this.#dimensions) : undefined;
      // A newer version may have taken its place between two reads.
      if ((await this.#table.version()) === version && !this.#isClosed) {
        this.#loaded = { version, exact };
      }
    } catch {
      // A damaged file, or storage that is away for a while: LanceDB's searches say so to their callers.
    }
    const ended = performance.now();
    this.#restsUntil = ended + REST * (ended - began);
  }

  /** Waits for a load that is under way, and loads nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#loading;
    this.#loaded = undefined;
  }
}
