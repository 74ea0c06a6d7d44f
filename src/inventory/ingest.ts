import type { Inventory } from "./inventory.ts";
import type { Model } from "./model.ts";
import { type NormaliseOptions, normalise } from "./normalise.ts";
import type { SourceRecord } from "./record.ts";
import { modelRow } from "./row.ts";
import { searchText } from "./search-text.ts";
import { refreshIndexes } from "./table.ts";

/** How an ingest goes. */
export interface IngestOptions extends Omit<NormaliseOptions, "seenAt"> {
  /** When the records are seen, in milliseconds since 1970. Default: now. */
  seenAt?: number;
  /** Models written at a time. Default 2,000: enough to make a write cheap, few enough for little memory. */
  batchSize?: number;
  /** Told after every batch. */
  onProgress?: (written: number) => void;
  /** Stops between batches; what is written stays. */
  signal?: AbortSignal;
}

/** Runs a write: as the only writer, or at once for a caller that is the only writer already. */
type Write = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Normalises, encodes and writes records, in batches; a model that the inventory has is replaced. Other writers get
 * their turn between batches, so that a source that is slow keeps nobody waiting.
 *
 * @returns the number of models written. When a name comes twice, the last one holds.
 */
export async function ingest(
  inventory: Inventory,
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
  options: IngestOptions,
): Promise<number> {
  return ingestBy((work) => inventory.exclusively(work, options.signal), inventory, records, options);
}

/** As ingest, for callers that are the only writer already. */
export async function ingestAlone(
  inventory: Inventory,
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
  options: IngestOptions,
): Promise<number> {
  return ingestBy((work) => work(), inventory, records, options);
}

async function ingestBy(
  write: Write,
  inventory: Inventory,
  records: AsyncIterable<SourceRecord> | Iterable<SourceRecord>,
  options: IngestOptions,
): Promise<number> {
  const batchSize = options.batchSize ?? 2_000;
  const seenAt = options.seenAt ?? Date.now();
  let written = 0;
  let batch = new Map<string, { model: Model; text: string }>();
  const flush = async () => {
    if (batch.size === 0) return;
    const entries = [...batch.values()];
    const vectors = await inventory.encoder.encode(entries.map((entry) => entry.text));
    const rows = entries.map((entry, i) => modelRow(entry.model, entry.text, vectors[i] as Float32Array));
    await write(() =>
      inventory.table.mergeInsert("key").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows),
    );
    written += rows.length;
    batch = new Map();
    options.onProgress?.(written);
  };
  for await (const record of records) {
    options.signal?.throwIfAborted();
    const model = normalise(record, { source: options.source, seenAt });
    batch.set(model.key, { model, text: searchText(model, record.card) });
    if (batch.size >= batchSize) await flush();
  }
  await flush();
  if (written > 0) await write(() => refreshIndexes(inventory.table));
  return written;
}
