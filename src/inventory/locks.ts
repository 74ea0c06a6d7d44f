import { rmSync, writeFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";

/** A process that holds a lock. */
export interface LockHolder {
  pid: number;
  /** The words of its command, such as `import`; empty for other programs. */
  command: string;
  /** Milliseconds since 1970. */
  since: number;
}

/**
 * The file beside a lock that names the holder. Valid only while the lock is held: a killed process leaves it behind.
 */
export function holderFile(file: string): string {
  return `${file}.holder`;
}

/** The process that holds the lock of a file; undefined when none does. Does not wait. */
export async function lockHolder(file: string): Promise<LockHolder | undefined> {
  let lock: DatabaseSync;
  try {
    lock = new DatabaseSync(file, { readOnly: true });
  } catch {
    // Without the file, no process ever took the lock.
    return undefined;
  }
  try {
    // Takes a shared lock for a moment, which fails while another process holds an exclusive one.
    lock.prepare("SELECT count(*) FROM sqlite_schema").get();
    return undefined;
  } catch {
    return await readHolder(file);
  } finally {
    lock.close();
  }
}

async function readHolder(file: string): Promise<LockHolder> {
  try {
    return JSON.parse(await readFile(holderFile(file), "utf8")) as LockHolder;
  } catch {
    // The holder took or released the lock at this moment.
    return { pid: 0, command: "", since: Date.now() };
  }
}

/** How often a waiting process tries again, in milliseconds. */
const RETRY_MS = 100;

/**
 * Runs work while no other process holds the lock of a file. Waits for the lock without a limit.
 *
 * The lock is a transaction on an empty SQLite file. The operating system releases it however the process ends,
 * including kill -9, so no lock is ever stale. A file beside it names the holder.
 *
 * @throws the reason of `signal` when it is aborted during the wait.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const lock = new DatabaseSync(file);
  try {
    while (!begins(lock)) {
      await sleep(RETRY_MS, undefined, { signal });
    }
    writeFileSync(holderFile(file), JSON.stringify(thisProcess()));
    try {
      return await work();
    } finally {
      rmSync(holderFile(file), { force: true });
    }
  } finally {
    lock.close();
  }
}

/** SQLite's result code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

function begins(lock: DatabaseSync): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) {
      return false;
    }
    throw error;
  }
}

function thisProcess(): LockHolder {
  // Only the words of the command: a private need may follow them.
  const words = process.argv.slice(2, 4).filter((word) => /^[a-z]+$/.test(word));
  return { pid: process.pid, command: words.join(" "), since: Date.now() };
}

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
