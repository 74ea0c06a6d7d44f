import { join } from "node:path";
import { withFileLock } from "./file-lock.ts";

/** The lock file of those who write the inventory, in the folder that the processes of a machine share. */
export function writeLockFile(folder: string): string {
  return join(folder, "inventory.lock");
}

/**
 * Runs work as the only writer among the processes that share a folder: two merges at once could both insert a model.
 * Waits for its turn as long as that takes.
 *
 * @throws what `signal` is aborted with while it waits.
 */
export async function withWriteLock<T>(folder: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return withFileLock(writeLockFile(folder), work, signal);
}
