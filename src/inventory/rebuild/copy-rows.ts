import type { Table } from "@lancedb/lancedb";
import type { RecordBatch } from "apache-arrow";
import { keyIn } from "../table/filter.ts";
import { changeNumbers } from "../table/rows.ts";
import type { RowMaker } from "./make-rows.ts";

/** Rows in one write: a commit costs as much as encoding a hundred rows, and a crash loses uncommitted rows. */
const ROWS_AT_ONCE = 4_096;
/** Keys of one condition. */
const KEYS_AT_ONCE = 500;

/** A copy from one table to another. */
export interface Copy {
  source: Table;
  target: Table;
  maker: RowMaker;
  /** Called after each write with the number of copied rows. */
  onRows?: (count: number) => void;
  /** Called before each write. It may throw. */
  assertHeld?: () => void;
  /** Stops between writes; written rows stay. */
  signal?: AbortSignal;
}

/**
 * Copies the rows that changed after a number, in the order of their changes. Each replaces the row of its key. So the
 * latest change of the target shows how far the copy came, even after a crash.
 *
 * @returns how many rows were copied.
 */
export async function copyChanges(copy: Copy, after: number): Promise<number> {
  // An empty target needs no search for rows to replace.
  const isNew = after === 0 && (await copy.target.countRows()) === 0;
  const changes = await changeNumbers(copy.source, after);
  for (let from = 0; from < changes.length; from += ROWS_AT_ONCE) {
    copy.signal?.throwIfAborted();
    const [first, last] = [changes[from], changes[Math.min(from + ROWS_AT_ONCE, changes.length) - 1]];
    // A row that changes during the copy leaves this range and comes again at the end.
    await write(copy, `change >= ${first} AND change <= ${last}`, isNew);
  }
  return changes.length;
}

/** Copies the rows of keys. */
export async function copyKeys(copy: Copy, keys: readonly string[]): Promise<void> {
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    copy.signal?.throwIfAborted();
    await write(copy, keyIn(keys.slice(from, from + KEYS_AT_ONCE)), false);
  }
}

async function write(
  { source, target, maker, onRows, assertHeld, signal }: Copy,
  condition: string,
  isNew: boolean,
): Promise<void> {
  const batches: RecordBatch[] = [];
  for await (const batch of source
    .query()
    .where(condition)
    .select([...maker.columns])) {
    if (batch.numRows > 0) {
      batches.push(batch);
    }
  }
  if (batches.length === 0) {
    return;
  }
  const rows = await maker.make(batches, signal);
  assertHeld?.();
  if (isNew) {
    await target.add(rows);
  } else {
    await target.mergeInsert("key").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows);
  }
  onRows?.(batches.reduce((sum, batch) => sum + batch.numRows, 0));
}

/** Rows compared at a time. Their keys of both tables are in memory. */
const KEYS_READ_AT_ONCE = 50_000;

/**
 * Makes a copy exact: deletes rows that the source no longer has, and copies missing rows. Call it under the write
 * lock, after `copyChanges`, which does not see deletions.
 */
export async function reconcileCopy(copy: Copy): Promise<void> {
  const { source, target } = copy;
  const changes = await changeNumbers(source, 0);
  const [missing, extra]: [string[], string[]] = [[], []];
  let after = 0;
  for (let last = KEYS_READ_AT_ONCE - 1; after < Infinity; last += KEYS_READ_AT_ONCE) {
    copy.signal?.throwIfAborted();
    const until = changes[last] ?? Infinity;
    const range = until === Infinity ? `change > ${after}` : `change > ${after} AND change <= ${until}`;
    after = until;
    const [old, made] = await Promise.all([writes(source, range), writes(target, range)]);
    for (const [key, change] of old) {
      if (made.get(key) !== change) {
        missing.push(key);
      }
    }
    for (const key of made.keys()) {
      if (!old.has(key)) {
        extra.push(key);
      }
    }
  }
  for (let from = 0; from < extra.length; from += KEYS_AT_ONCE) {
    await target.delete(keyIn(extra.slice(from, from + KEYS_AT_ONCE)));
  }
  await copyKeys(copy, missing);
}

/** The number of each row's last write, by key. */
async function writes(table: Table, condition: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const batch of table.query().where(condition).select(["key", "change"])) {
    for (const { key, change } of batch) {
      found.set(key, change);
    }
  }
  return found;
}
