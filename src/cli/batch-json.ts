import type { Batch } from "../batches/batch.ts";

/** A batch's facts for programs, as BatchService names them: times as RFC 3339, unknown ones left out. */
export function batchJson(batch: Batch): Record<string, string | number | undefined> {
  return {
    id: batch.id,
    owner_id: batch.ownerId,
    owner: batch.ownerName,
    name: batch.name,
    state: batch.state,
    total: batch.total,
    completed: batch.completed,
    failed: batch.failed,
    error: batch.error,
    created_at: time(batch.createdAt),
    started_at: time(batch.startedAt),
    ended_at: time(batch.endedAt),
    results_until: time(batch.resultsUntil),
  };
}

function time(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
