import { latestChange } from "./changes.ts";
import type { Inventory } from "./inventory.ts";
import { InventoryWriter } from "./inventory-writer.ts";
import { isFirstFilling } from "./is-first-filling.ts";
import type { SourceRecord } from "./record.ts";
import { settleGone } from "./settle-gone.ts";
import { SyncState } from "./sync-state.ts";
import { refreshIndexes } from "./table.ts";
import { TellingBatch } from "./telling-batch.ts";

/** What a sync does to the inventory. */
export interface SyncOptions {
  /** The source's name, such as `huggingface`: what its models are marked with. */
  source: string;
  /** When its models are seen, in milliseconds since 1970. Default: now; that of the session which goes on. */
  seenAt?: number;
  /** How long a model that its sources no longer have stays in the inventory, in milliseconds. Default: 7 days. */
  graceMs?: number;
  /** Ends waiting for other writers. */
  signal?: AbortSignal;
}

/** What became of written records. */
export interface WriteCounts {
  added: number;
  changed: number;
  /** Neither encoded nor written: the inventory has them like that. */
  unchanged: number;
}

/** How a sync ends. */
export interface FinishOptions {
  /** Whether all that the source has was written, so that what was not is gone. */
  complete: boolean;
  /**
   * Asks the source which of some models (names as it tells them) it no longer has. Used when not complete: without it
   * nothing is found to be gone then. Each sync asks about some of the models that it did not see, in turn.
   */
  confirmGone?: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** How many models `confirmGone` is asked about at most. Default 500. */
  confirmLimit?: number;
}

/** What became of the models that the source did not tell, and of those told again. */
export interface FinishCounts {
  /** Newly found to be gone at the source. */
  vanished: number;
  /** Seen again after they were gone. */
  returned: number;
  /** Left the inventory: gone everywhere for longer than the grace period. */
  removed: number;
}

/**
 * One sync of a source into the inventory. What it wrote stays however the process ends, and a session that was not
 * finished goes on where it stopped: begin it again for the same source.
 */
export interface SyncSession {
  /** What `saveCursor` was last told by the session that goes on here; undefined in a new one. */
  readonly resume: string | undefined;
  /** Normalises, merges, encodes and writes records. The last one holds when a name comes twice. */
  write(records: readonly SourceRecord[]): Promise<WriteCounts>;
  /** Remembers where to go on; call it when everything before the cursor is written. */
  saveCursor(cursor: string): Promise<void>;
  /** Marks what is gone, removes what was gone for long, and brings the indexes up to date. The session is over. */
  finish(options: FinishOptions): Promise<FinishCounts>;
  /** Stops without finishing: the next session of the source goes on from the saved cursor. */
  close(): Promise<void>;
}

/** Time for a source to get its models back before they leave, after a mistake of its or ours. */
const GRACE_MS = 7 * 86_400_000;
/** A listing that stopped longer ago is read anew: what it saw is old, and its cursor may mean something else now. */
const RESUMED_WITHIN_MS = 86_400_000;

/**
 * Begins a sync of a source, or goes on with one that was not finished.
 *
 * @throws ServiceError SYNC_RUNNING while this machine runs another sync of the source.
 */
export async function beginSync(inventory: Inventory, options: SyncOptions): Promise<SyncSession> {
  const { source, graceMs = GRACE_MS, signal } = options;
  const state = SyncState.open(inventory.database.location.lockFolder, source);
  try {
    const current = await inventory.database.serving();
    const before = state.progress;
    const isRecent = before !== undefined && Date.now() - before.beganAt < RESUMED_WITHIN_MS;
    const change = await latestChange(current);
    const goesOn = isRecent && before.cursor !== undefined && before.change <= change;
    if (!goesOn) {
      state.clear();
      state.progress = {
        beganAt: Date.now(),
        seenAt: options.seenAt ?? Date.now(),
        // One that was stopped before its first cursor was the first filling, and so is this one.
        initial: (isRecent && before.initial) || (await isFirstFilling(current)),
        change,
      };
    }
    return new Session(inventory, state, { source, graceMs, signal });
  } catch (error) {
    state.close();
    throw error;
  }
}

class Session implements SyncSession {
  readonly resume: string | undefined;
  readonly #inventory: Inventory;
  readonly #state: SyncState;
  readonly #options: { source: string; graceMs: number; signal: AbortSignal | undefined };
  readonly #writer: InventoryWriter;
  readonly #seenAt: number;
  #returned = 0;

  constructor(
    inventory: Inventory,
    state: SyncState,
    options: { source: string; graceMs: number; signal: AbortSignal | undefined },
  ) {
    const { cursor, seenAt, initial } = state.progress as NonNullable<SyncState["progress"]>;
    this.resume = cursor;
    this.#inventory = inventory;
    this.#state = state;
    this.#options = options;
    this.#seenAt = seenAt;
    this.#writer = new InventoryWriter(inventory, { initial, signal: options.signal });
  }

  async write(records: readonly SourceRecord[]): Promise<WriteCounts> {
    const { source, signal } = this.#options;
    const counts: WriteCounts = { added: 0, changed: 0, unchanged: 0 };
    let batch = new TellingBatch();
    const flush = async () => {
      signal?.throwIfAborted();
      const returned = new Set<string>();
      const { added, changed, unchanged } = await this.#writer.amend(batch.keys, (key, told) => {
        if (told.some((each) => each.source === source && each.goneAt !== undefined)) returned.add(key);
        return batch.amend(key, told);
      });
      this.#state.addSeen(batch.keys);
      this.#returned += returned.size;
      counts.added += added;
      counts.changed += changed;
      counts.unchanged += unchanged;
      batch = new TellingBatch();
    };
    for (const record of records) {
      batch.add(record, { source, seenAt: this.#seenAt });
      if (batch.isFull) await flush();
    }
    if (batch.keys.length > 0) await flush();
    return counts;
  }

  async saveCursor(cursor: string): Promise<void> {
    const progress = this.#state.progress as NonNullable<SyncState["progress"]>;
    this.#state.progress = { ...progress, cursor, change: this.#writer.lastChange ?? progress.change };
  }

  async finish(options: FinishOptions): Promise<FinishCounts> {
    const { source, graceMs, signal } = this.#options;
    const { vanished, returned, removed } = await settleGone({
      ...options,
      inventory: await this.#inventory.database.serving(),
      writer: this.#writer,
      state: this.#state,
      source,
      now: this.#seenAt,
      graceMs,
      signal,
    });
    await this.#inventory.exclusively((current) => refreshIndexes(current.table), signal);
    this.#state.clear();
    this.#state.close();
    return { vanished, returned: this.#returned + returned, removed };
  }

  async close(): Promise<void> {
    this.#state.close();
  }
}
