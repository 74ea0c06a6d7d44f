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

/** The lock file of those who rebuild beside writers, in the folder that the processes of a machine share. */
export function rebuildLockFile(folder: string): string {
  return join(folder, "rebuild.lock");
}

/**
 * Makes this process the only writer among the machines that share an inventory; a file in a folder does that for those
 * of one machine (see write-lock.ts).
 */
export interface WriteLease {
  /**
   * Runs work as the only one. Waits for its turn as long as that takes.
   *
   * @param what is done: to write, or to rebuild beside writers.
   * @param work gets what throws where another machine may do the same by now.
   * @throws what `signal` is aborted with while it waits.
   */
  hold<T>(what: "write" | "rebuild", work: (assertHeld: () => void) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Frees what it holds open. */
  close(): Promise<void>;
}
