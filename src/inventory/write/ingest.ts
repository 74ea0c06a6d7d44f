import type { SourceRecord } from "../facts/record.ts";
import type { InventoryDatabase } from "../inventory-database.ts";
import { RecordBatch } from "./record-batch.ts";
import type { WriteCounts } from "./sync-session.ts";
import type { WritePlan } from "./write-plan.ts";
import { InventoryWriter, isFirstFilling } from "./writer.ts";

/** How an ingest goes. */
export interface IngestOptions {
  /** The source's name where a record names none. */
  source: string;
  /** When the records are seen, in milliseconds since 1970. Default: now. */
  seenAt?: number;
  /** Whether they are the project's own catalogue of the source's models. */
  catalogue?: true;
  /** Models written at a time. Default 2,000: enough to make a write cheap, few enough for little memory. */
  batchSize?: number;
  /** Whether the caller holds the write lock already. Default: no. */
  holdsWriteLock?: boolean;
  /** Told after every batch: how many models are done, and what became of them. */
  onProgress?: (done: number, counts: Readonly<WriteCounts>) => void;
  /** Stops between batches; what is written stays. */
  signal?: AbortSignal;
}

/**
 * Normalises, merges, encodes and writes records, in batches. What the inventory has like that already is not written.
 * Other writers get their turn between batches, so that a source that is slow keeps nobody waiting.
 *
 * @returns what became of the models. When a name comes twice from one source, the last one holds; in two batches it is
 * counted twice.
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
  // One batch is written while the next is made ready.
  let writing = Promise.resolve();
  const flush = async () => {
    const plan = await writer.plan(batch.keys, batch.amend);
    await writing;
    writing = write(plan);
    // Its failure is met where it is waited for.
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
