import type { Table } from "@lancedb/lancedb";
import { createYieldToEventLoop } from "../pace/index.ts";
import { type MergedModel, mergeFacts } from "./facts/merge.ts";
import { modelAfter } from "./facts/past-facts.ts";
import type { Inventory } from "./inventory.ts";
import type { InventoryDatabase } from "./inventory-database.ts";
import type { Removals } from "./table/removals.ts";
import { readRows } from "./table/rows.ts";

/** A change of a model. */
export interface Change {
  /** Its number, unique and ascending in the order in which followers see changes. */
  change: number;
  /**
   * `added` and `changed` describe the model as it is now. `removed` may name a model the follower never saw, because
   * it came and went between two reads.
   */
  kind: "added" | "changed" | "removed";
  /** The model's key. */
  key: string;
  /** Whether the model came with the first filling of the inventory. */
  initial: boolean;
}

/** Some changes, in order. */
export interface ChangePage {
  /** The kinds of the changes are relative to this number: the follower has seen all changes up to it. */
  since: number;
  changes: Change[];
  /** Where to continue, now or at any later time. */
  cursor: string;
}

/** Options of a walk through changes. */
export interface ChangesOptions {
  /** The most changes of a page. Default 1,000. */
  limit?: number;
  /** Stops between pages. */
  signal?: AbortSignal;
}

/** The cursor after the write of a number, such as `InventoryDatabase.latestChange()`; 0 is the beginning. */
export function cursorAt(change: number): string {
  return String(change);
}

/**
 * The changes after a cursor, in order and page by page, up to now. A follower that reads all pages and later continues
 * from the last cursor misses nothing; several changes of one model may come as one. Writes that do not change a model
 * are left out: another source with the same facts, a rebuild, another encoder, a new version of the program that
 * reads the same facts differently.
 *
 * Only the numbers in rows and removals are stored, so walks continue across kills and restarts.
 *
 * @param cursor of a page or of cursorAt.
 */
export async function* changesAfter(
  database: InventoryDatabase,
  cursor: string,
  { limit = 1_000, signal }: ChangesOptions = {},
): AsyncGenerator<ChangePage> {
  let position = parseCursor(cursor);
  while (true) {
    signal?.throwIfAborted();
    const { changes, until, isEnd } = await readPage(await database.serving(), database.removals, position, limit);
    // A model can change again during the walk and come a second time. So `since` stays until the end: a model that was
    // added after it is `added` on every page.
    const { since } = position;
    position = { since: isEnd ? until : since, at: until };
    if (changes.length > 0 || isEnd) {
      yield { since, changes, cursor: formatCursor(position) };
    }
    if (isEnd) {
      return;
    }
  }
}

/** How far a follower has read. */
interface Position {
  /** All changes up to this number were seen in earlier walks. */
  since: number;
  /** Changes after `since`, up to this number, have been delivered. */
  at: number;
}

function formatCursor({ since, at }: Position): string {
  return at === since ? String(at) : `${since}-${at}`;
}

function parseCursor(cursor: string): Position {
  const [, since, at] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(cursor) ?? [];
  if (since === undefined) {
    throw new RangeError(`${JSON.stringify(cursor)} is not a cursor of changes`);
  }
  return { since: Number(since), at: Number(at ?? since) };
}

interface RawPage {
  changes: Change[];
  /** All changes up to this number are in this page or before it. */
  until: number;
  /** Whether there were no later changes. */
  isEnd: boolean;
}

async function readPage(
  { table }: Inventory,
  removals: Removals,
  { since, at }: Position,
  limit: number,
): Promise<RawPage> {
  // Numbers follow the order of writes over both tables. So the rows, read after these removals, include every write
  // before them; and the removals, read again after the rows, include every one before those. The page has no gaps.
  const removedFirst = await removals.after(at, limit);
  await table.checkoutLatest();
  const rows = await readRowChanges(table, at, limit);
  const removed = await removals.after(at, limit);

  let until = rows.isEnd ? Math.max(rows.until, removedFirst.at(-1)?.change ?? 0) : rows.until;
  if (removed.length === limit) {
    until = Math.min(until, removed.at(-1)?.change as number);
  }
  const changes = [
    ...rows.changes.flatMap((row) => changeOf(row, since) ?? []),
    ...removed.map(({ key, change }): Change => ({ change, kind: "removed", key, initial: false })),
  ]
    .filter(({ change }) => change <= until)
    .sort((a, b) => a.change - b.change);
  const isEnd = rows.isEnd && rows.until <= until && (removed.at(-1)?.change ?? 0) <= until && removed.length < limit;
  if (changes.length <= limit) {
    return { changes, until, isEnd };
  }
  const page = changes.slice(0, limit);
  return { changes: page, until: page.at(-1)?.change as number, isEnd: false };
}

function changeOf(row: RowChange, since: number): Change | undefined {
  const { key, change, initial } = row;
  if (row.added_change > since) {
    return { change, kind: "added", key, initial };
  }
  return row.facts_change > since ? { change, kind: "changed", key, initial } : undefined;
}

interface RowChange {
  key: string;
  change: number;
  facts_change: number;
  added_change: number;
  initial: boolean;
}

interface RowChanges {
  changes: RowChange[];
  until: number;
  isEnd: boolean;
}

/** Rows written after a number, the first `limit` at most. */
async function readRowChanges(table: Table, at: number, limit: number): Promise<RowChanges> {
  const columns = ["key", "change", "facts_change", "added_change", "initial"];
  // Sorting all later rows would make every page cost as much as the first. The span grows because numbers that are no
  // longer in use leave gaps.
  for (let span = 4 * limit; ; span *= 4) {
    const changes: RowChange[] = await table
      .query()
      .where(`change > ${at} AND change <= ${at + span}`)
      .select(columns)
      .orderBy({ columnName: "change", ascending: true })
      .limit(limit)
      .toArray();
    const last = changes.at(-1)?.change ?? at;
    if (changes.length === limit) {
      return { changes, until: last, isEnd: false };
    }
    const hasMore = (await table.countRows(`change > ${at + span}`)) > 0;
    if (!hasMore) {
      return { changes, until: last, isEnd: true };
    }
    if (changes.length > 0) {
      return { changes, until: at + span, isEnd: false };
    }
  }
}

/** A model that was added or changed. */
export interface ChangedModel extends MergedModel {
  key: string;
  /** The vector of its text. */
  vector: Float32Array;
  /**
   * The model before the changes of this page; undefined if it did not exist. A model of the first filling always
   * existed, in its first state. Only the last few changes are stored: of a model that changed more often, this is the
   * oldest known state.
   */
  before?: MergedModel;
  /** The model after the write of a number; undefined if it did not exist. Reaches back as far as `before`. */
  asOf(change: number): MergedModel | undefined;
}

/** Reads the models that a page adds or changes, as they are now, without models that were removed since. */
export async function changedModels(
  { table }: Pick<Inventory, "table">,
  { changes, since }: ChangePage,
): Promise<ChangedModel[]> {
  const keys = changes.filter(({ kind }) => kind !== "removed").map(({ key }) => key);
  const rows = await readRows(table, keys);
  const models: ChangedModel[] = [];
  const yieldToEventLoop = createYieldToEventLoop();
  for (const key of keys) {
    const row = rows.get(key);
    if (row === undefined) {
      continue;
    }
    const now = mergeFacts(row.facts);
    const asOf = (change: number) =>
      row.initial || row.addedChange <= change ? modelAfter(change, now, row.past) : undefined;
    const before = asOf(since);
    models.push({ key, ...now, vector: row.vector, ...(before !== undefined && { before }), asOf });
    await yieldToEventLoop();
  }
  return models;
}
