import { rmSync, writeFileSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { dirname } from "node:path";
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

/** The file beside a lock that tells who holds it. Only true while the lock is held: a killed process leaves it. */
export function holderFile(file: string): string {
  return `${file}.holder`;
}

/**
 * Who holds the lock of a file (see file-lock.ts); undefined when nobody does. Waits for nobody.
 */
export async function lockHolder(file: string): Promise<LockHolder | undefined> {
  let lock: DatabaseSync;
  try {
    lock = new DatabaseSync(file, { readOnly: true });
  } catch {
    // There is no such file, so nobody ever took the lock.
    return undefined;
  }
  try {
    // Takes a shared lock for a moment, which an exclusive one refuses.
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
    // It took or left the lock this very moment.
    return { pid: 0, command: "", since: Date.now() };
  }
}

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

/** SQLite's result code for a lock that somebody else holds. */
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
  // The words of the command only: what follows them may be somebody's need.
  const words = process.argv.slice(2, 4).filter((word) => /^[a-z]+$/.test(word));
  return { pid: process.pid, command: words.join(" "), since: Date.now() };
}
