import { mkdir } from "node:fs/promises";
import { lock } from "proper-lockfile";

/** A holder that has not said for so long that it lives has died: its lock is taken over. */
const STALE_MS = 15_000;
/** How often a waiting writer looks again. */
const RETRY_MS = 250;
/** A large import may keep the others waiting for so long. */
const WAIT_MS = 3_600_000;

/**
 * Runs work as the only writer among the processes that share a folder: two merges at once could both insert a model.
 * Waits for its turn, up to an hour; the lock of a process that was killed is taken over after 15 seconds.
 */
export async function withWriteLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true });
  const release = await lock(folder, {
    lockfilePath: `${folder}/inventory.lock`,
    stale: STALE_MS,
    retries: { retries: WAIT_MS / RETRY_MS, factor: 1, minTimeout: RETRY_MS, maxTimeout: RETRY_MS },
  });
  try {
    return await work();
  } finally {
    await release();
  }
}
