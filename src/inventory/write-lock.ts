import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** How often a waiting writer looks again. */
const RETRY_MS = 100;

/**
 * Runs work as the only writer among the processes that share a folder: two merges at once could both insert a model.
 * Waits for its turn as long as that takes.
 *
 * The lock is a transaction on an empty SQLite file: the operating system holds it and gives it back however the
 * process ends, kill -9 included, so that no lock is ever stale.
 *
 * @throws what `signal` is aborted with while it waits.
 */
export async function withWriteLock<T>(folder: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await mkdir(folder, { recursive: true });
  const lock = new DatabaseSync(join(folder, "inventory.lock"));
  try {
    while (!begins(lock)) await sleep(RETRY_MS, undefined, { signal });
    return await work();
  } finally {
    lock.close();
  }
}

/** SQLite's result code for a lock that somebody else holds. */
const SQLITE_BUSY = 5;

function begins(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
