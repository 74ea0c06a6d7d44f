import type { Table } from "@lancedb/lancedb";
import type { NamedIndex } from "./unreadable-indexes.ts";

/** The state of a table's files and indexes. */
export interface TableHealth {
  rows: number;
  /** The approximate number of row files: each write adds one, and optimising merges some. */
  fragments: number;
  /** Versions that can still be read. */
  versions: number;
  /** When the oldest version was written, in milliseconds since 1970. */
  oldestVersionAt: number;
  /** When the version after the oldest was written, in milliseconds since 1970; undefined if there is none. */
  oldestReplacedAt?: number;
  indexes: readonly IndexHealth[];
}

/** An index of a table. */
export interface IndexHealth {
  column: string;
  type: string;
  indexedRows: number;
  /** Rows that a search scans one by one, because they are newer than the index. */
  unindexedRows: number;
  /** Parts that a search reads. Optimising adds one to an index of vectors. */
  segments: number;
  /** Undefined in the health of a damaged table. */
  bytes?: number;
}

/** Reads the health of a table. Takes milliseconds, whatever the size of the table. */
export async function tableHealth(table: Table): Promise<TableHealth> {
  await table.checkoutLatest();
  const [{ numRows: rows, fragmentStats }, indexes, versions] = await Promise.all([
    table.stats(),
    table.listIndices(),
    versionTimes(table),
  ]);
  return {
    rows,
    fragments: fragmentStats.numFragments,
    ...versions,
    indexes: indexes
      .map((index) => ({
        column: index.columns.join(", "),
        type: index.indexType,
        indexedRows: index.numIndexedRows ?? 0,
        unindexedRows: index.numUnindexedRows ?? 0,
        segments: index.numSegments ?? 1,
        bytes: index.sizeBytes ?? 0,
      }))
      .sort(byColumn),
  };
}

/**
 * What can be known of a table that has damaged indexes: LanceDB reads index files for its statistics and for the sizes
 * of indexes.
 *
 * @param indexes all indexes of the table.
 */
export async function damagedTableHealth(
  table: Table,
  indexes: readonly NamedIndex[],
): Promise<Omit<TableHealth, "fragments">> {
  await table.checkoutLatest();
  const [rows, stats, versions] = await Promise.all([
    table.countRows(),
    Promise.all(indexes.map(({ name }) => table.indexStats(name))),
    versionTimes(table),
  ]);
  const known = indexes.flatMap(({ column }, i): IndexHealth[] => {
    const found = stats[i];
    if (found === undefined) {
      return [];
    }
    const { indexType: type, numIndexedRows, numUnindexedRows, numIndices: segments = 1 } = found;
    return [{ column, type, indexedRows: numIndexedRows, unindexedRows: numUnindexedRows, segments }];
  });
  return { rows, ...versions, indexes: known.sort(byColumn) };
}

async function versionTimes(
  table: Table,
): Promise<Pick<TableHealth, "versions" | "oldestVersionAt" | "oldestReplacedAt">> {
  const written = (await table.listVersions()).map(({ timestamp }) => timestamp.getTime()).sort((a, b) => a - b);
  return { versions: written.length, oldestVersionAt: written[0] as number, oldestReplacedAt: written[1] };
}

const byColumn = (a: IndexHealth, b: IndexHealth) => (a.column < b.column ? -1 : 1);

/** The maintenance that a table needs. */
export interface DueMaintenance {
  /** Whether to merge small files, index new rows and drop old versions. */
  optimise: boolean;
  /** Whether to rebuild the index of vectors as one part. */
  retrain: boolean;
}

/**
 * How long a version stays readable after the next one was written, in milliseconds. Readers look for the newest
 * version every second, and read the one before while many rows of it have no index (see table-view.ts).
 */
export const VERSIONS_KEPT_MS = 600_000;

/** Each unindexed row costs a full-text search some 10 µs; optimising 100,000 rows takes a second or more. */
const MANY_UNINDEXED_ROWS = 500;
/** Each write adds a file; with 20 more files a search of 100,000 rows took 20 ms instead of 3. */
const MANY_FRAGMENTS = 20;
/** Each part costs a search among vectors half a millisecond, and optimising adds one; see docs/inventory.md. */
const MANY_SEGMENTS = 8;
/** Old versions are dropped when there are this many or one is this old. Each keeps its files. */
const MANY_VERSIONS = 20;
const OLD_VERSION_MS = 6 * 3_600_000;

/** The maintenance that a table needs now, so that searches stay fast and its disk does not fill. */
export function dueMaintenance(
  { fragments, versions, oldestReplacedAt, indexes }: TableHealth,
  now: number,
): DueMaintenance {
  const unindexed = Math.max(0, ...indexes.map(({ unindexedRows }) => unindexedRows));
  const segments = Math.max(1, ...indexes.map((index) => index.segments));
  const oldestAge = oldestReplacedAt === undefined ? 0 : now - oldestReplacedAt;
  const canDrop = oldestAge > VERSIONS_KEPT_MS;
  return {
    optimise:
      unindexed >= MANY_UNINDEXED_ROWS ||
      // Files under different parts of an index are not merged.
      fragments - segments >= MANY_FRAGMENTS ||
      (canDrop && (versions >= MANY_VERSIONS || oldestAge > OLD_VERSION_MS)),
    retrain: segments > MANY_SEGMENTS,
  };
}

/**
 * The time of the oldest version of a table that must be kept: the one that was the newest ten minutes ago, which may
 * still be read. LanceDB decides by the time of writing, and would drop a version that was the newest for hours as soon
 * as the next one is written.
 */
export async function keptVersionsFrom(table: Table): Promise<Date> {
  const until = Date.now() - VERSIONS_KEPT_MS;
  const times = (await table.listVersions()).map(({ timestamp }) => timestamp.getTime());
  return new Date(Math.max(0, ...times.filter((time) => time <= until)));
}

/** How many rows the text index lacks, which a text search scans one by one; 0 without an index. */
export async function textUnindexed(table: Table): Promise<number> {
  // listIndices would read the files of all indexes, one of which may be damaged; this call reads none.
  return (await table.indexStats("text_idx"))?.numUnindexedRows ?? 0;
}
