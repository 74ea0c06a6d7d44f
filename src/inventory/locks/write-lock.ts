import { join } from "node:path";
import { withFileLock } from "./file-lock.ts";

/** The lock file of writers, in the folder that the processes of a machine share. */
export function writeLockFile(folder: string): string {
  return join(folder, "inventory.lock");
}

/**
 * Runs work as the only writer among the processes that share a folder: two merges at once could both insert a model.
 * Waits for the lock without a limit.
 *
 * @throws the reason of `signal` when it is aborted during the wait.
 */
export async function withWriteLock<T>(folder: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return withFileLock(writeLockFile(folder), work, signal);
}

/** The lock file of rebuilds beside writers, in the folder that the processes of a machine share. */
export function rebuildLockFile(folder: string): string {
  return join(folder, "rebuild.lock");
}

/**
 * Makes this process the only writer among the machines that share an inventory. Among the processes of one machine a
 * lock file does that.
 */
export interface WriteLease {
  /**
   * Runs work while it holds the lease. Waits for the lease without a limit.
   *
   * @param what the kind of work: to write, or to rebuild beside writers.
   * @param work gets a check that throws when another machine may hold the lease by now.
   * @throws the reason of `signal` when it is aborted during the wait.
   */
  hold<T>(what: "write" | "rebuild", work: (assertHeld: () => void) => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Closes its connection. */
  close(): Promise<void>;
}
