import type { Table } from "@lancedb/lancedb";

/** What a table's files and indexes are like. */
export interface TableHealth {
  rows: number;
  /** Files of rows, about: every write makes one, and optimising merges some. */
  fragments: number;
  /** Versions that can still be read. */
  versions: number;
  /** When the oldest of them was written, in milliseconds since 1970. */
  oldestVersionAt: number;
  /** When the next one was written, in milliseconds since 1970; undefined where there is none. */
  oldestReplacedAt?: number;
  indexes: readonly IndexHealth[];
}

/** An index of a table. */
export interface IndexHealth {
  column: string;
  type: string;
  indexedRows: number;
  /** Rows that a search goes through one by one, because they are newer than the index. */
  unindexedRows: number;
  /** Parts that a search goes through: optimising adds one to an index of vectors. */
  segments: number;
  bytes: number;
}

/** Looks at a table as it is now. Costs milliseconds whatever its size. */
export async function tableHealth(table: Table): Promise<TableHealth> {
  await table.checkoutLatest();
  const [{ numRows: rows, fragmentStats }, indexes, versions] = await Promise.all([
    table.stats(),
    table.listIndices(),
    table.listVersions(),
  ]);
  const written = versions.map(({ timestamp }) => timestamp.getTime()).sort((a, b) => a - b);
  return {
    rows,
    fragments: fragmentStats.numFragments,
    versions: versions.length,
    oldestVersionAt: written[0] as number,
    oldestReplacedAt: written[1],
    indexes: indexes
      .map((index) => ({
        column: index.columns.join(", "),
        type: index.indexType,
        indexedRows: index.numIndexedRows ?? 0,
        unindexedRows: index.numUnindexedRows ?? 0,
        segments: index.numSegments ?? 1,
        bytes: index.sizeBytes ?? 0,
      }))
      .sort((a, b) => (a.column < b.column ? -1 : 1)),
  };
}

/** What a table needs. */
export interface DueMaintenance {
  /** To merge small files, index new rows and drop old versions. */
  optimise: boolean;
  /** To have its index of vectors made anew, as one part. */
  retrain: boolean;
}

/**
 * How long a version stays readable after the next one was written, in milliseconds. Readers look for the newest version
 * every second, and read the one before while many rows of it have no index (see table-view.ts).
 */
export const VERSIONS_KEPT_MS = 600_000;

/** Each row beyond an index costs a full-text search some 10 µs; optimising 100,000 rows takes a second or more. */
const MANY_UNINDEXED_ROWS = 500;
/** Writes make a file each; with 20 more of them a search of 100,000 rows took 20 ms in place of 3. */
const MANY_FRAGMENTS = 20;
/** Each part costs a search among vectors half a millisecond, and optimising adds one; see docs/inventory.md. */
const MANY_SEGMENTS = 8;
/** Versions that are due to be dropped when there are so many or one is so old: each keeps the files that it had. */
const MANY_VERSIONS = 20;
const OLD_VERSION_MS = 6 * 3_600_000;

/** What a table needs now, so that searches stay fast and its disk does not fill, and no more. */
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
 * The time from which on versions of a table are to be kept: that of the one that was the newest ten minutes ago, which
 * may be read until now. LanceDB goes by when a version was written, and would drop one that was the newest for hours as
 * soon as the next one is written.
 */
export async function keptVersionsFrom(table: Table): Promise<Date> {
  const until = Date.now() - VERSIONS_KEPT_MS;
  const times = (await table.listVersions()).map(({ timestamp }) => timestamp.getTime());
  return new Date(Math.max(0, ...times.filter((time) => time <= until)));
}

/** How many rows the index of a table's text lacks: a search for words goes through them one by one. 0 without index. */
export async function textUnindexed(table: Table): Promise<number> {
  // What tells of all indexes (listIndices) reads their files, one of which may be damaged; this reads none.
  return (await table.indexStats("text_idx"))?.numUnindexedRows ?? 0;
}
