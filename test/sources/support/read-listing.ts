import type { SourceRecord } from "../../../src/inventory/facts/record.ts";
import type { ListingOptions, SkippedRecord, Source, SourceFault } from "../../../src/sources/source.ts";

/** The records and reports of a listing. */
export interface ReadListing {
  records: SourceRecord[];
  complete: boolean | undefined;
  skipped: SkippedRecord[];
  faults: SourceFault[];
  gaps: string[];
  lost: string[];
  /** The cursors, each with the number of records before it. */
  checkpoints: Array<{ cursor: string; read: number }>;
  /** The error that it failed with. */
  error: unknown;
}

/** Reads a source to its end, or up to a number of records. */
export async function readListing(
  source: Source,
  options: Pick<ListingOptions, "cursor" | "signal"> & { most?: number } = {},
): Promise<ReadListing> {
  const read: ReadListing = {
    records: [],
    complete: undefined,
    skipped: [],
    faults: [],
    gaps: [],
    lost: [],
    checkpoints: [],
    error: undefined,
  };
  const { most = Number.POSITIVE_INFINITY, ...rest } = options;
  const listing = source.list({
    ...rest,
    onSkip: (skipped) => void read.skipped.push(skipped),
    onFault: (fault) => void read.faults.push(fault),
    onGap: (problem) => void read.gaps.push(problem),
    onDetailLost: (problem) => void read.lost.push(problem),
    onCheckpoint: async (cursor) => void read.checkpoints.push({ cursor, read: read.records.length }),
  });
  try {
    while (read.records.length < most) {
      const next = await listing.next();
      if (next.done) {
        read.complete = next.value.complete;
        break;
      }
      read.records.push(next.value);
    }
  } catch (error) {
    read.error = error;
  }
  await listing.return({ complete: false });
  return read;
}
