import type { SourceRecord } from "../facts/record.ts";
import type { InventoryDatabase } from "../inventory-database.ts";
import { RecordBatch } from "./record-batch.ts";
import type { WriteCounts } from "./sync-session.ts";
import type { WritePlan } from "./write-plan.ts";
import { InventoryWriter, isFirstFilling } from "./writer.ts";

/** Options of `ingest`. */
export interface IngestOptions {
  /** The source of records that name none. */
  source: string;
  /** When the records were read, in milliseconds since 1970. Default: now. */
  seenAt?: number;
  /** Set for records of the project's own catalogue. */
  catalogue?: true;
  /** Models written at a time. Default 2,000: enough to make a write cheap, few enough for little memory. */
  batchSize?: number;
  /** Whether the caller holds the write lock. Default: false. */
  holdsWriteLock?: boolean;
  /** Called after each batch with the number of models so far and the counts of the results. */
  onProgress?: (done: number, counts: Readonly<WriteCounts>) => void;
  /** Stops between batches; written models stay. */
  signal?: AbortSignal;
}

/**
 * Normalises, merges, encodes and writes records in batches. Unchanged models are not written. Other writers can write
 * between batches, so a slow source does not block them.
 *
 * @returns the counts of the results. If a source has a name twice, the last record wins; in two batches the model
 * counts twice.
 */
export async function ingest(
  database: InventoryDatabase,
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
  options: IngestOptions,
): Promise<WriteCounts> {
  const { source, seenAt = Date.now(), catalogue, batchSize, holdsWriteLock = false, signal } = options;
  const writer = new InventoryWriter(database, { initial: await isFirstFilling(database), holdsWriteLock, signal });
  const counts: WriteCounts = { added: 0, changed: 0, unchanged: 0 };
  const write = async (plan: WritePlan) => {
    const { added, changed, unchanged } = await writer.carryOut(plan);
    counts.added += added;
    counts.changed += changed;
    counts.unchanged += unchanged;
    options.onProgress?.(counts.added + counts.changed + counts.unchanged, { ...counts });
  };
  let batch = new RecordBatch(batchSize);
  // One batch is written while the next is prepared.
  let writing = Promise.resolve();
  const flush = async () => {
    const plan = await writer.plan(batch.keys, batch.amend);
    await writing;
    writing = write(plan);
    // The rejection is handled where `writing` is awaited.
    writing.catch(() => {});
    batch = new RecordBatch(batchSize);
  };
  try {
    for await (const record of records) {
      signal?.throwIfAborted();
      batch.add(record, { source: record.source ?? source, seenAt, catalogue });
      if (batch.isFull) {
        await flush();
      }
    }
    if (batch.keys.length > 0) {
      await flush();
    }
  } finally {
    await writing;
  }
  if (counts.added + counts.changed > 0) {
    await writer.refreshIndexes();
  }
  return counts;
}
