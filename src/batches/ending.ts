import type { Kysely } from "kysely";
import type { Database } from "../store/index.ts";
import { type BatchEnd, type BatchesTable, endBatch } from "../store/tables/index.ts";
import { recordEvents } from "../webhooks/index.ts";
import { type Batch, batchStates } from "./batch.ts";

/** Reads a batch from its row. @throws Error for a state that this version does not know: a newer one wrote it. */
export function toBatch(row: BatchesTable & { owner_name?: string }): Batch {
  const state = batchStates.find((known) => known === row.state);
  if (state === undefined) {
    throw new Error(`Unknown state of a batch: ${JSON.stringify(row.state)}`);
  }
  return {
    id: row.id,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    name: row.name ?? undefined,
    state,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    error: row.error ?? undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    resultsUntil: row.results_until ?? undefined,
  };
}

const DAY_MS = 24 * 3600 * 1000;
/** How long a batch and its answers are kept after its end. */
const KEPT_MS = 7 * DAY_MS;

/**
 * Ends a batch and records its event. After the commit, the caller must send the signals `batches` and `deliveries`.
 *
 * @param db the transaction. @param now in milliseconds since 1970.
 * @returns the batch as it ended; undefined if it had already ended.
 */
export async function finishBatch(
  db: Kysely<Database>,
  id: string,
  { state, error }: Pick<BatchEnd, "state" | "error">,
  now: number,
): Promise<Batch | undefined> {
  const row = await endBatch(db, id, { state, error, endedAt: now, resultsUntil: now + KEPT_MS });
  if (row === undefined) {
    return undefined;
  }
  const batch = toBatch(row);
  await recordEvents(db, [{ ownerId: batch.ownerId, type: "batch.completed", at: now, data: eventData(batch) }]);
  return batch;
}

/** The data of the event that receivers get. */
function eventData({ startedAt, ...batch }: Batch): Record<string, unknown> {
  return {
    id: batch.id,
    name: batch.name,
    state: batch.state,
    total: batch.total,
    completed: batch.completed,
    failed: batch.failed,
    error: batch.error,
    created_at: toTime(batch.createdAt),
    started_at: toTime(startedAt),
    ended_at: toTime(batch.endedAt),
    results_until: toTime(batch.resultsUntil),
  };
}

function toTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
