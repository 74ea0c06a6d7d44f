import type { TableHealth } from "./table-health.ts";

/** What a table needs. */
export interface Care {
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
export function dueCare({ fragments, versions, oldestReplacedAt, indexes }: TableHealth, now: number): Care {
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
