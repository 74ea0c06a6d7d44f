import type { Table } from "@lancedb/lancedb";
import { quote } from "./filter.ts";
import type { Inventory } from "./inventory.ts";
import type { AmendCounts, InventoryWriter } from "./inventory-writer.ts";
import { ranked } from "./source-ranks.ts";
import { readRows } from "./stored-rows.ts";
import type { FinishCounts, FinishOptions } from "./sync-session.ts";
import type { SyncState } from "./sync-state.ts";
import { forget, lose, regain } from "./told.ts";
import type { Amend } from "./write-plan.ts";

/** The end of a sync: what it has to settle, and with what. */
export interface SettleOptions extends FinishOptions {
  inventory: Inventory;
  writer: InventoryWriter;
  state: SyncState;
  source: string;
  /** When the source was seen, in milliseconds since 1970. */
  now: number;
  graceMs: number;
  signal: AbortSignal | undefined;
}

/** Models that `confirmGone` is asked about in a sync: most sources answer one by one. */
const CONFIRM_LIMIT = 500;
/** Models asked about at a time. */
const ASKED_AT_ONCE = 100;
/** Models written at a time. */
const WRITTEN_AT_ONCE = 2_000;

/**
 * Marks the models that a source no longer has, and lets go of those that it lost longer ago than the grace period:
 * their facts of this source, and the model where no other source has it. A source that cannot list all that it has is
 * asked: about those that are to go once more, and about some of those that this sync did not see.
 */
export async function settleGone(options: SettleOptions): Promise<FinishCounts> {
  const { inventory, writer, state, source, now, graceMs, complete, confirmGone } = options;
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
    counts.vanished += (await amend(keys, (_, told) => lose(told, source, now))).changed;
  };
  const letGo = async (keys: readonly string[]) => {
    counts.removed += (await amend(keys, (_, told) => forget(told, source, now - graceMs))).removed;
  };

  if (complete) {
    const unseen: string[] = [];
    for await (const { key } of unseenBy(state, inventory.table, source)) unseen.push(key);
    await markLost(unseen);
    await letGo(await dueKeys(inventory.table, source, now - graceMs));
  } else if (confirmGone !== undefined) {
    const limit = options.confirmLimit ?? CONFIRM_LIMIT;
    const due = (await dueKeys(inventory.table, source, now - graceMs)).slice(0, limit);
    const { gone, there } = await ask(options, confirmGone, due);
    await letGo(gone);
    counts.returned += (await amend(there, (_, told) => regain(told, source))).changed;
    const asked = await nextToAsk(state, inventory.table, source, limit - due.length);
    await markLost((await ask(options, confirmGone, asked)).gone);
    state.askedUntil = asked.at(-1) ?? state.askedUntil;
  }
  return counts;
}

/** The models of a source that its sync did not see. */
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
    for (const { key, vanished_at: vanishedAt } of batch)
      if (!state.hasSeen(key)) yield { key, isGone: vanishedAt !== null };
  }
}

/** The models that some source lost at a time or before. */
async function dueKeys(table: Table, source: string, until: number): Promise<string[]> {
  const condition = `vanished_at <= ${until} AND array_has(sources, ${quote(source)})`;
  const rows = await table.query().where(condition).select(["key"]).toArray();
  return rows.map(({ key }) => key as string).sort();
}

/** Models that the sync did not see and nobody lost: those behind the last that was asked about, from the start again
 * after the end. */
async function nextToAsk(state: SyncState, table: Table, source: string, limit: number): Promise<string[]> {
  const after = state.askedUntil;
  let [behind, before]: [string[], string[]] = [[], []];
  // Only the first few of each are kept, because nearly all models may be unseen.
  const first = (keys: string[]) => keys.sort().slice(0, limit);
  for await (const { key, isGone } of unseenBy(state, table, source)) {
    if (isGone) continue;
    (key > after ? behind : before).push(key);
    if (behind.length > 10 * limit + 1_000) behind = first(behind);
    if (before.length > 10 * limit + 1_000) before = first(before);
  }
  return [...first(behind), ...first(before)].slice(0, limit);
}

/** Which of some models the source has no longer, and which it has. */
async function ask(
  { inventory, source, signal }: SettleOptions,
  confirmGone: NonNullable<FinishOptions["confirmGone"]>,
  keys: readonly string[],
): Promise<{ gone: string[]; there: string[] }> {
  const rows = await readRows(inventory.table, keys);
  const asked = keys.flatMap((key) => {
    // The best that the source told has the name as the source writes it.
    const told = ranked(rows.get(key)?.told ?? []).find((each) => each.source === source);
    return told === undefined ? [] : [[key, told.record.name] as const];
  });
  const [gone, there]: [string[], string[]] = [[], []];
  for (let i = 0; i < asked.length; i += ASKED_AT_ONCE) {
    signal?.throwIfAborted();
    const some = asked.slice(i, i + ASKED_AT_ONCE);
    const confirmed = await confirmGone(some.map(([, name]) => name));
    for (const [key, name] of some) (confirmed.has(name) ? gone : there).push(key);
  }
  return { gone, there };
}
