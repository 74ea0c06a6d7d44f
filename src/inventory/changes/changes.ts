import type { Table } from "@lancedb/lancedb";
import { createYieldToEventLoop } from "../../pace/index.ts";
import { type MergedModel, mergeFacts } from "../facts/merge.ts";
import { modelAfter } from "../facts/past-facts.ts";
import type { Inventory } from "../inventory.ts";
import { latestRowChange, readRows } from "../table/rows.ts";

/** What happened to a model. */
export interface Change {
  /** Its number: every change has one of its own, counting up in the order in which changes are seen. */
  change: number;
  /**
   * `added` and `changed` are told of what the model is now; `removed` of one that may be unknown to who follows, if it
   * came and went between two looks.
   */
  kind: "added" | "changed" | "removed";
  /** The model's key. */
  key: string;
  /** Whether the model came with the first filling of the inventory. */
  initial: boolean;
}

/** Some changes, in their order. */
export interface ChangePage {
  /** The changes are told as seen from this number: all up to it was told before. */
  since: number;
  changes: Change[];
  /** Where to go on, now or after any time. */
  cursor: string;
}

/** How changes are followed. */
export interface ChangesOptions {
  /** Changes a page at most. Default 1,000. */
  limit?: number;
  /** Stops between pages. */
  signal?: AbortSignal;
}

/** The number of the last write to an inventory; 0 before the first. A cursor in this place (see cursorAt) is at the end. */
export async function latestChange({ table, database }: Inventory): Promise<number> {
  // In this order: a removal that comes between is one that the rows did not have yet.
  const ofRows = await latestRowChange(table);
  return Math.max(ofRows, await database.removals.latest());
}

/** The cursor from which on only changes behind a number are told, as by `latestChange`; 0 is the beginning. */
export function cursorAt(change: number): string {
  return String(change);
}

/**
 * What happened to an inventory's models behind a cursor, in order and page by page up to now. Who takes all pages and
 * goes on from the last cursor later misses nothing; several changes of one model may be told as one. Writes that do
 * not change what a model is are not told: a source that tells the same as another, a rebuild, another encoder, a new
 * version of the program that reads the same facts otherwise.
 *
 * Nothing is kept but the numbers in the rows and those of removals, so that it holds across kills and restarts.
 *
 * @param cursor as told by a page or by cursorAt.
 */
export async function* changesAfter(
  inventory: Inventory,
  cursor: string,
  { limit = 1_000, signal }: ChangesOptions = {},
): AsyncGenerator<ChangePage> {
  let position = parseCursor(cursor);
  while (true) {
    signal?.throwIfAborted();
    const { changes, until, isEnd } = await readPage(await inventory.database.serving(), position, limit);
    // What was told in this walk can change behind its back, so that the rest of the walk is told as from its
    // beginning: a model that was added behind `since` is `added` wherever it is met.
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

/** Where somebody who follows changes stands. */
interface Position {
  /** All up to here was seen. */
  since: number;
  /** Of what is behind that, what was told up to here was seen. */
  at: number;
}

function formatCursor({ since, at }: Position): string {
  return at === since ? String(at) : `${since}-${at}`;
}

function parseCursor(cursor: string): Position {
  const [, since, at] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(cursor) ?? [];
  if (since === undefined) {
    throw new RangeError(`${JSON.stringify(cursor)} is no cursor of changes`);
  }
  return { since: Number(since), at: Number(at ?? since) };
}

interface RawPage {
  changes: Change[];
  /** The number up to which all is told. */
  until: number;
  /** Whether nothing was behind it. */
  isEnd: boolean;
}

async function readPage({ table, database }: Inventory, { since, at }: Position, limit: number): Promise<RawPage> {
  // Numbers follow the order of writes over both tables. So the rows, read after these removals, have every write before
  // them; and the removals, read again after the rows, have every one before those. What is told has no gaps.
  const removedFirst = await database.removals.after(at, limit);
  await table.checkoutLatest();
  const rows = await readRowChanges(table, at, limit);
  const removed = await database.removals.after(at, limit);

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

/** Rows written behind a number, the first `limit` of them at most. */
async function readRowChanges(table: Table, at: number, limit: number): Promise<RowChanges> {
  const columns = ["key", "change", "facts_change", "added_change", "initial"];
  // Sorting all that is behind a number would cost every page as much as the first; numbers that are no longer in use
  // leave gaps.
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

/** A model that was added or changed, for those who judge it anew. */
export interface ChangedModel extends MergedModel {
  key: string;
  /** The text encoded. */
  vector: Float32Array;
  /**
   * What it was when the changes before these were told; undefined for a model that was not there. One of the first
   * filling was always there, as it was first. Only the last few changes are known: of a model that changed more often
   * since then, this is the oldest state that is.
   */
  before?: MergedModel;
  /** What it was after the write of a number; undefined where it was not there. As far back as `before` is known. */
  asOf(change: number): MergedModel | undefined;
}

/** The models that a page of changes adds or changes, as they are now; without those that left meanwhile. */
export async function changedModels(inventory: Inventory, { changes, since }: ChangePage): Promise<ChangedModel[]> {
  const keys = changes.filter(({ kind }) => kind !== "removed").map(({ key }) => key);
  const rows = await readRows((await inventory.database.serving()).table, keys);
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
