import { setTimeout as sleep } from "node:timers/promises";
import type { Table } from "@lancedb/lancedb";
import { closeTable } from "../table/table.ts";
import { textUnindexed } from "../table/table-health.ts";

/** What reads need of a table. */
export type ReadableTable = Pick<Table, "version" | "query" | "countRows" | "takeRowIds">;

/** What a view is of, and how it goes on. */
export interface TableViewOptions {
  /** The table as it is written: it tells which version is the newest. */
  table: Table;
  /** Opens the table once more. */
  open: () => Promise<Table>;
  /** Called with a later version before it is read, to bring into memory what reads will want of it. It may fail. */
  warm?: (next: Table) => Promise<void>;
  /** How often it is looked for a newer version while it is read, in milliseconds. Default 1,000. */
  lookEveryMs?: number;
  /** How long a version is read on while later ones have many rows without index, in milliseconds. Default 5 minutes. */
  holdMs?: number;
}

/** Up to so many rows that the index of the text lacks, searches take about as long as without; see docs/inventory.md. */
const FEW_UNINDEXED_ROWS = 500;
/** While nobody reads it is looked so much more seldom: each look is a request where the storage is remote. */
const IDLE_LOOKS = 10;
/** Who writes and reads again takes longer. */
const JUST_LOOKED_MS = 100;
/** The longest that a read waits for a look, in milliseconds: then it reads what there is. */
const MOST_WAIT_MS = 500;
/** A version that was left may still be read by calls that began on it. */
const LEFT_MS = 60_000;

interface Version {
  table: Table;
  version: number;
  rows: Promise<number>;
  unindexed: number;
}

/**
 * One version of a table, for reading: the newest whose rows are indexed but for a few. While others write much, the
 * version before is read on until its successor is indexed, as searches would go through the new rows one by one, and
 * every write would empty what is remembered. What follows is made warm in the background, so no read waits for it but the
 * first one after a quiet moment (`fresh`).
 */
export class TableView implements ReadableTable {
  readonly #options: TableViewOptions;
  readonly #holdMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #left = new Map<Table, NodeJS.Timeout>();
  #current: Version;
  /** The last version that was looked at and is not read yet, and since when there is a later one than that which is. */
  #held: { version: number; since: number } | undefined;
  #following: Promise<void> = Promise.resolve();
  #lookedAt = performance.now();
  #catchingUp: Promise<void> | undefined;
  #isRead = true;
  #isClosed = false;

  private constructor(options: TableViewOptions, first: Version) {
    const { lookEveryMs = 1_000, holdMs = 300_000 } = options;
    this.#options = options;
    this.#holdMs = holdMs;
    this.#current = first;
    let isLooking = false;
    let passed = 0;
    this.#timer = setInterval(async () => {
      if (isLooking || (!this.#isRead && ++passed < IDLE_LOOKS)) {
        return;
      }
      isLooking = true;
      passed = 0;
      this.#isRead = false;
      // The storage may be away for a while; what is read now holds until a later look.
      await this.follow().catch(() => {});
      isLooking = false;
    }, lookEveryMs).unref();
  }

  /** A view of the newest version. */
  static async open(options: TableViewOptions): Promise<TableView> {
    return new TableView(options, await openVersion(options.open));
  }

  /** The version that is read. */
  async version(): Promise<number> {
    return this.#current.version;
  }

  query(): ReturnType<Table["query"]> {
    return this.#reading().table.query();
  }

  takeRowIds(...rows: Parameters<Table["takeRowIds"]>): ReturnType<Table["takeRowIds"]> {
    return this.#reading().table.takeRowIds(...rows);
  }

  async countRows(filter?: string): Promise<number> {
    const { table, rows } = this.#reading();
    return filter === undefined ? rows : table.countRows(filter);
  }

  /**
   * To be waited for before a read. Where nobody has read since the last look, it looks, so that what was written in a
   * quiet moment is met by the next read; while there are reads all the time they wait for nothing.
   */
  async fresh(): Promise<void> {
    if (this.#catchingUp === undefined) {
      if (this.#isRead || performance.now() - this.#lookedAt < JUST_LOOKED_MS) {
        return;
      }
      const looked = this.follow().catch(() => {});
      this.#catchingUp = Promise.race([looked, sleep(MOST_WAIT_MS, undefined, { ref: false })]).finally(() => {
        this.#isRead = true;
        this.#catchingUp = undefined;
      });
    }
    await this.#catchingUp;
  }

  /** Goes on to the newest version, where that is indexed but for a few rows. */
  follow(): Promise<void> {
    const look = this.#following
      .catch(() => {})
      .then(() => this.#look())
      .finally(() => {
        this.#lookedAt = performance.now();
      });
    this.#following = look;
    return look;
  }

  /** Ends it, once the calls that read have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#following.catch(() => {});
    for (const timer of this.#left.values()) {
      clearTimeout(timer);
    }
    for (const table of [...this.#left.keys(), this.#current.table]) {
      await closeTable(table);
    }
  }

  #reading(): Version {
    this.#isRead = true;
    return this.#current;
  }

  async #look(): Promise<void> {
    if (this.#isClosed) {
      return;
    }
    // Another process may have written it.
    await this.#options.table.checkoutLatest();
    const newest = await this.#options.table.version();
    if (newest === this.#current.version) {
      return;
    }
    const since = this.#held?.since ?? Date.now();
    const isOverdue = Date.now() - since >= this.#holdMs;
    if (newest === this.#held?.version && !isOverdue) {
      return;
    }
    const next = await openVersion(this.#options.open);
    try {
      if (!isOverdue && (await this.#isToHold(next))) {
        this.#held = { version: next.version, since };
        next.table.close();
        return;
      }
      // What cannot be made warm is read cold.
      await this.#options.warm?.(next.table).catch(() => {});
    } catch (error) {
      next.table.close();
      throw error;
    }
    const { table: left } = this.#current;
    this.#current = next;
    this.#held = undefined;
    const timer = setTimeout(async () => {
      this.#left.delete(left);
      await closeTable(left);
    }, LEFT_MS);
    this.#left.set(left, timer.unref());
  }

  /** Whether searches would go through many rows that have no index, and through fewer in the version that is read. */
  async #isToHold(next: Version): Promise<boolean> {
    const { rows, unindexed } = this.#current;
    return next.unindexed > Math.max(FEW_UNINDEXED_ROWS, unindexed) && (await rows) > 0;
  }
}

async function openVersion(open: () => Promise<Table>): Promise<Version> {
  const table = await open();
  const version = await table.version();
  // From here on nobody's write changes what it reads.
  await table.checkout(version);
  const rows = table.countRows();
  // Met where it is waited for.
  rows.catch(() => {});
  return { table, version, rows, unindexed: await textUnindexed(table) };
}
