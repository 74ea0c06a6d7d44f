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
