import { readFile } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";

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
