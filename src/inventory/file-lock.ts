import { rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { holderFile, type LockHolder } from "./lock-holder.ts";

/** How often a waiting process looks again. */
const RETRY_MS = 100;

/**
 * Runs work as the only one among the processes that share a file. Waits for its turn as long as that takes.
 *
 * The lock is a transaction on an empty SQLite file: the operating system holds it and gives it back however the
 * process ends, kill -9 included, so that no lock is ever stale. Who holds it is told in a file beside it.
 *
 * @throws what `signal` is aborted with while it waits.
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const lock = new DatabaseSync(file);
  try {
    while (!begins(lock)) await sleep(RETRY_MS, undefined, { signal });
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

function thisProcess(): LockHolder {
  // The words of the command only: what follows them may be somebody's need.
  const words = process.argv.slice(2, 4).filter((word) => /^[a-z]+$/.test(word));
  return { pid: process.pid, command: words.join(" "), since: Date.now() };
}
