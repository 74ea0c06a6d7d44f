import type { Table } from "@lancedb/lancedb";
import { changeNumbers } from "./change-numbers.ts";
import { type Copy, copyKeys } from "./copy-changes.ts";
import { quote } from "./filter.ts";

/** Rows compared at a time: so many keys of both tables are in memory. */
const ROWS_AT_ONCE = 50_000;
/** Keys of one condition. */
const KEYS_AT_ONCE = 500;

/**
 * Makes a copy exact: rows that the source no longer has are deleted, and rows that are missing are copied. For the only
 * writer, after copyChanges, which does not see deletions.
 */
export async function settleRows(copy: Copy): Promise<void> {
  const { source, target } = copy;
  const changes = await changeNumbers(source, 0);
  const [missing, extra]: [string[], string[]] = [[], []];
  let after = 0;
  for (let last = ROWS_AT_ONCE - 1; after < Infinity; last += ROWS_AT_ONCE) {
    copy.signal?.throwIfAborted();
    const until = changes[last] ?? Infinity;
    const range = until === Infinity ? `change > ${after}` : `change > ${after} AND change <= ${until}`;
    after = until;
    const [old, made] = await Promise.all([writes(source, range), writes(target, range)]);
    for (const [key, change] of old) if (made.get(key) !== change) missing.push(key);
    for (const key of made.keys()) if (!old.has(key)) extra.push(key);
  }
  for (let from = 0; from < extra.length; from += KEYS_AT_ONCE)
    await target.delete(
      `key IN (${extra
        .slice(from, from + KEYS_AT_ONCE)
        .map(quote)
        .join(", ")})`,
    );
  await copyKeys(copy, missing);
}

/** The number of each row's last write, by key. */
async function writes(table: Table, condition: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for await (const batch of table.query().where(condition).select(["key", "change"])) {
    for (const { key, change } of batch) found.set(key, change);
  }
  return found;
}
