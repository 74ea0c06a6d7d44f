import type { Table } from "@lancedb/lancedb";
import { ranked } from "../facts/merge.ts";
import type { SourceRecord } from "../facts/record.ts";
import { markMissing, purge, restore } from "../facts/source-facts.ts";
import type { InventoryDatabase } from "../inventory-database.ts";
import { quote } from "../table/filter.ts";
import { readRows } from "../table/rows.ts";
import { RecordBatch } from "./record-batch.ts";
import { SyncState } from "./sync-state.ts";
import type { Amend } from "./write-plan.ts";
import { type AmendCounts, InventoryWriter, isFirstFilling } from "./writer.ts";

/** The options and the context of `reconcileMissing`. */
export interface ReconcileOptions extends FinishOptions {
  table: Table;
  writer: InventoryWriter;
  state: SyncState;
  source: string;
  /** When the source was read, in milliseconds since 1970. */
  now: number;
  graceMs: number;
  signal: AbortSignal | undefined;
}

/** The most models that a sync asks `confirmGone` about: most sources answer for one at a time. */
const CONFIRM_LIMIT = 500;
/** Models in one call of `confirmGone`. */
const ASKED_AT_ONCE = 100;
/** Models written at a time. */
const WRITTEN_AT_ONCE = 2_000;

/**
 * Marks the models that a source no longer has. If a model was marked longer ago than the grace period, the source's
 * facts are removed, and the model too if no other source has it. A source that cannot list all its models is asked
 * about single models: once more about those to remove, and about some of those that this sync did not see.
 */
export async function reconcileMissing(options: ReconcileOptions): Promise<FinishCounts> {
  const { table, writer, state, source, now, graceMs, complete, confirmGone } = options;
  const counts: FinishCounts = { vanished: 0, returned: 0, removed: 0 };
  const amend = async (keys: readonly string[], how: Amend): Promise<AmendCounts> => {
    const sum: AmendCounts = { added: 0, changed: 0, unchanged: 0, removed: 0 };
    for (let i = 0; i < keys.length; i += WRITTEN_AT_ONCE) {
      options.signal?.throwIfAborted();
      const { changed, removed } = await writer.amend(keys.slice(i, i + WRITTEN_AT_ONCE), how);
      sum.changed += changed;
      sum.removed += removed;
    }
    return sum;
  };
  const markLost = async (keys: readonly string[]) => {
    counts.vanished += (await amend(keys, (_, known) => markMissing(known, source, now))).changed;
  };
  const letGo = async (keys: readonly string[]) => {
    counts.removed += (await amend(keys, (_, known) => purge(known, source, now - graceMs))).removed;
  };

  if (complete) {
    const unseen: string[] = [];
    for await (const { key } of unseenBy(state, table, source)) {
      unseen.push(key);
    }
    await markLost(unseen);
    await letGo(await dueKeys(table, source, now - graceMs));
  } else if (confirmGone !== undefined) {
    const limit = options.confirmLimit ?? CONFIRM_LIMIT;
    const due = (await dueKeys(table, source, now - graceMs)).slice(0, limit);
    const { gone, there } = await ask(options, confirmGone, due);
    await letGo(gone);
    counts.returned += (await amend(there, (_, known) => restore(known, source))).changed;
    const asked = await nextToAsk(state, table, source, limit - due.length);
    await markLost((await ask(options, confirmGone, asked)).gone);
    state.askedUntil = asked.at(-1) ?? state.askedUntil;
  }
  return counts;
}

/** Lists the models of a source that its sync did not see. */
async function* unseenBy(
  state: SyncState,
  table: Table,
  source: string,
): AsyncGenerator<{ key: string; isGone: boolean }> {
  const query = table
    .query()
    .where(`array_has(sources, ${quote(source)})`)
    .select(["key", "vanished_at"]);
  for await (const batch of query) {
    for (const { key, vanished_at: vanishedAt } of batch) {
      if (!state.hasSeen(key)) {
        yield { key, isGone: vanishedAt !== null };
      }
    }
  }
}

/** Lists the models that a source was marked as missing at `until` or earlier. */
async function dueKeys(table: Table, source: string, until: number): Promise<string[]> {
  const condition = `vanished_at <= ${until} AND array_has(sources, ${quote(source)})`;
  const rows = await table.query().where(condition).select(["key"]).toArray();
  return rows.map(({ key }) => key as string).sort();
}

/** Lists models that the sync did not see and that are not marked: those after the last asked one, from the start again
 * after the end. */
async function nextToAsk(state: SyncState, table: Table, source: string, limit: number): Promise<string[]> {
  const after = state.askedUntil;
  let [behind, before]: [string[], string[]] = [[], []];
  // Only the first few are kept, because nearly all models may be unseen.
  const first = (keys: string[]) => keys.sort().slice(0, limit);
  for await (const { key, isGone } of unseenBy(state, table, source)) {
    if (isGone) {
      continue;
    }
    (key > after ? behind : before).push(key);
    if (behind.length > 10 * limit + 1_000) {
      behind = first(behind);
    }
    if (before.length > 10 * limit + 1_000) {
      before = first(before);
    }
  }
  return [...first(behind), ...first(before)].slice(0, limit);
}

/** Asks the source which of some models it no longer has, and which it has. */
async function ask(
  { table, source, signal }: ReconcileOptions,
  confirmGone: NonNullable<FinishOptions["confirmGone"]>,
  keys: readonly string[],
): Promise<{ gone: string[]; there: string[] }> {
  const rows = await readRows(table, keys);
  const asked = keys.flatMap((key) => {
    // The source's best facts have the name in the source's spelling.
    const facts = ranked(rows.get(key)?.facts ?? []).find((each) => each.source === source);
    return facts === undefined ? [] : [[key, facts.record.name] as const];
  });
  const [gone, there]: [string[], string[]] = [[], []];
  for (let i = 0; i < asked.length; i += ASKED_AT_ONCE) {
    signal?.throwIfAborted();
    const some = asked.slice(i, i + ASKED_AT_ONCE);
    const confirmed = await confirmGone(some.map(([, name]) => name));
    for (const [key, name] of some) {
      (confirmed.has(name) ? gone : there).push(key);
    }
  }
  return { gone, there };
}

/** Options of a sync session. */
export interface SyncSessionOptions {
  /** The source's name, such as `huggingface`. Facts are stored under it. */
  source: string;
  /** When its models were read, in milliseconds since 1970. Default: now, or the time of the continued session. */
  seenAt?: number;
  /** How long a model that its sources no longer have stays in the inventory, in milliseconds. Default: 7 days. */
  graceMs?: number;
  /** Ends the wait for other writers. */
  signal?: AbortSignal;
}

/** Counts of the results of writes. */
export interface WriteCounts {
  added: number;
  changed: number;
  /** Neither encoded nor written, because the inventory has the same. */
  unchanged: number;
}

/** Options of the end of a sync. */
export interface FinishOptions {
  /** Whether the sync wrote all models of the source, so that all others are missing. */
  complete: boolean;
  /**
   * Asks the source which of some models (by its own names) it no longer has. Used when the sync is not complete.
   * Without this function, such a sync finds no model missing. Each sync asks about some of the models that it did not
   * see, in turn.
   */
  confirmGone?: (names: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The most models to ask `confirmGone` about. Default 500. */
  confirmLimit?: number;
}

/** Counts of missing and restored models. */
export interface FinishCounts {
  /** Newly found missing at the source. */
  vanished: number;
  /** Seen again after they were missing. */
  returned: number;
  /** Removed from the inventory: missing at all sources for longer than the grace period. */
  removed: number;
}

/**
 * One sync of a source into the inventory. Its writes stay, however the process ends. `beginSync` for the same source
 * continues a session that was not finished.
 */
export interface SyncSession {
  /** The last cursor that the continued session saved; undefined in a new session. */
  readonly resume: string | undefined;
  /** Normalises, merges, encodes and writes records. If a name comes twice, the last record wins. */
  write(records: readonly SourceRecord[]): Promise<WriteCounts>;
  /** Saves where to continue. Call it when everything before the cursor is written. */
  saveCursor(cursor: string): Promise<void>;
  /** Marks missing models, removes those missing for long, updates the indexes, and ends the session. */
  finish(options: FinishOptions): Promise<FinishCounts>;
  /** Stops without finishing. The next session of the source continues from the saved cursor. */
  close(): Promise<void>;
}

/** The default grace period: time for a source to restore its models after a mistake of its own or of ours. */
const GRACE_MS = 7 * 86_400_000;
/**
 * An older unfinished session is not continued: the models that it saw may have changed, and its cursor may no longer
 * be valid.
 */
const RESUMED_WITHIN_MS = 86_400_000;

/**
 * Begins a sync of a source, or continues one that was not finished.
 *
 * @throws ServiceError SYNC_RUNNING while this machine runs another sync of the source.
 */
export async function beginSync(database: InventoryDatabase, options: SyncSessionOptions): Promise<SyncSession> {
  const { source, graceMs = GRACE_MS, signal } = options;
  const state = SyncState.open(database.location.lockFolder, source);
  try {
    const before = state.progress;
    const isRecent = before !== undefined && Date.now() - before.beganAt < RESUMED_WITHIN_MS;
    const change = await database.latestChange();
    const goesOn = isRecent && before.cursor !== undefined && before.change <= change;
    if (!goesOn) {
      state.clear();
      state.progress = {
        beganAt: Date.now(),
        seenAt: options.seenAt ?? Date.now(),
        // A session that stopped before its first cursor may have been the first filling; then this one is too.
        initial: (isRecent && before.initial) || (await isFirstFilling(database)),
        change,
      };
    }
    return new Session(database, state, { source, graceMs, signal });
  } catch (error) {
    state.close();
    throw error;
  }
}

class Session implements SyncSession {
  readonly resume: string | undefined;
  readonly #database: InventoryDatabase;
  readonly #state: SyncState;
  readonly #options: { source: string; graceMs: number; signal: AbortSignal | undefined };
  readonly #writer: InventoryWriter;
  readonly #seenAt: number;
  #returned = 0;

  constructor(
    database: InventoryDatabase,
    state: SyncState,
    options: { source: string; graceMs: number; signal: AbortSignal | undefined },
  ) {
    const { cursor, seenAt, initial } = state.progress as NonNullable<SyncState["progress"]>;
    this.resume = cursor;
    this.#database = database;
    this.#state = state;
    this.#options = options;
    this.#seenAt = seenAt;
    this.#writer = new InventoryWriter(database, { initial, signal: options.signal });
  }

  async write(records: readonly SourceRecord[]): Promise<WriteCounts> {
    const { source, signal } = this.#options;
    const counts: WriteCounts = { added: 0, changed: 0, unchanged: 0 };
    let batch = new RecordBatch();
    const flush = async () => {
      signal?.throwIfAborted();
      const returned = new Set<string>();
      const { added, changed, unchanged } = await this.#writer.amend(batch.keys, (key, facts) => {
        if (facts.some((each) => each.source === source && each.goneAt !== undefined)) {
          returned.add(key);
        }
        return batch.amend(key, facts);
      });
      this.#state.addSeen(batch.keys);
      this.#returned += returned.size;
      counts.added += added;
      counts.changed += changed;
      counts.unchanged += unchanged;
      batch = new RecordBatch();
    };
    for (const record of records) {
      batch.add(record, { source, seenAt: this.#seenAt });
      if (batch.isFull) {
        await flush();
      }
    }
    if (batch.keys.length > 0) {
      await flush();
    }
    return counts;
  }

  async saveCursor(cursor: string): Promise<void> {
    const progress = this.#state.progress as NonNullable<SyncState["progress"]>;
    this.#state.progress = { ...progress, cursor, change: this.#writer.lastChange ?? progress.change };
  }

  async finish(options: FinishOptions): Promise<FinishCounts> {
    const { source, graceMs, signal } = this.#options;
    const { vanished, returned, removed } = await reconcileMissing({
      ...options,
      table: (await this.#database.serving()).table,
      writer: this.#writer,
      state: this.#state,
      source,
      now: this.#seenAt,
      graceMs,
      signal,
    });
    await this.#writer.refreshIndexes();
    this.#state.clear();
    this.#state.close();
    return { vanished, returned: this.#returned + returned, removed };
  }

  async close(): Promise<void> {
    this.#state.close();
  }
}
