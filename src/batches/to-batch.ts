import type { BatchesTable } from "../store/tables/batches.ts";
import { type Batch, batchStates } from "./batch.ts";

/** A batch of its row. @throws Error for a state that this program does not know: a newer one wrote it. */
export function toBatch(row: BatchesTable & { owner_name?: string }): Batch {
  const state = batchStates.find((known) => known === row.state);
  if (state === undefined) throw new Error(`There is no state ${JSON.stringify(row.state)} of batches`);
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
