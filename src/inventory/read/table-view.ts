import { setTimeout as sleep } from "node:timers/promises";
import type { Table } from "@lancedb/lancedb";
import { closeTable } from "../table/table.ts";
import { textUnindexed } from "../table/table-health.ts";

/** The methods of a table that reads need. */
export type ReadableTable = Pick<Table, "version" | "query" | "countRows" | "takeRowIds">;

/** Options of a TableView. */
export interface TableViewOptions {
  /** The newest version of the table. */
  table: Table;
  /** Opens the table again. */
  open: () => Promise<Table>;
  /** Called with a newer version before reads use it, to load the data that they need into memory. It may fail. */
  warm?: (next: Table) => Promise<void>;
  /** How often it checks for a newer version while there are reads, in milliseconds. Default 1,000. */
  lookEveryMs?: number;
  /** How long reads stay on a version while newer ones have many unindexed rows, in milliseconds. Default 5 minutes. */
  holdMs?: number;
}

/** Up to this many rows without a text index hardly slow searches down; see docs/inventory.md. */
const FEW_UNINDEXED_ROWS = 500;
/** Without reads it checks this many times less often: each check is a request to remote storage. */
const IDLE_LOOKS = 10;
/** A check this recent is not repeated; no client can write and read back within it. */
const JUST_LOOKED_MS = 100;
/** The longest that a read waits for a check, in milliseconds. Then it reads the present version. */
const MOST_WAIT_MS = 500;
/** How long a version stays open for calls that began on it, in milliseconds. */
const LEFT_MS = 60_000;

interface Version {
  table: Table;
  version: number;
  rows: Promise<number>;
  unindexed: number;
}

/**
 * One version of a table, for reading: the newest that has only a few unindexed rows. While others write much, reads
 * stay on the version before until its successor is indexed: searches would scan the new rows one by one, and every
 * write would empty the caches. A newer version is warmed up in the background, so only the first read after an idle
 * period waits for it (`fresh`).
 */
export class TableView implements ReadableTable {
  readonly #options: TableViewOptions;
  readonly #holdMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #left = new Map<Table, NodeJS.Timeout>();
  #current: Version;
  /** The newest checked version that reads do not use yet, and since when there has been a newer one. */
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
      // The storage may be away for a while. Reads stay on this version until the next check.
      await this.follow().catch(() => {});
      isLooking = false;
    }, lookEveryMs).unref();
  }

  /** A view of the newest version. */
  static async open(options: TableViewOptions): Promise<TableView> {
    return new TableView(options, await openVersion(options.open));
  }

  /** The version that reads use. */
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
   * Await before a read. After an idle period it first checks for a newer version, so that the read sees recent writes;
   * under steady load it returns at once.
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

  /** Moves reads to the newest version, unless that has many unindexed rows. */
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

  /** Closes the versions once the calls that read them have ended. */
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
    // Another process may have written.
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
      if (!isOverdue && (await this.#shouldHold(next))) {
        this.#held = { version: next.version, since };
        await closeTable(next.table);
        return;
      }
      // If warming fails, the first reads have to load the data themselves.
      await this.#options.warm?.(next.table).catch(() => {});
    } catch (error) {
      await closeTable(next.table);
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

  /** Whether the next version has many unindexed rows, and more than the present one. */
  async #shouldHold(next: Version): Promise<boolean> {
    const { rows, unindexed } = this.#current;
    return next.unindexed > Math.max(FEW_UNINDEXED_ROWS, unindexed) && (await rows) > 0;
  }
}

async function openVersion(open: () => Promise<Table>): Promise<Version> {
  const table = await open();
  const version = await table.version();
  // From here on it reads this version, whatever others write.
  await table.checkout(version);
  const rows = table.countRows();
  // The rejection is handled where `rows` is awaited.
  rows.catch(() => {});
  return { table, version, rows, unindexed: await textUnindexed(table) };
}
