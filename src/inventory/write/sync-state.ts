import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { ServiceError } from "../../error.ts";

/** What a sync stores to continue after its process ended. */
export interface SyncCheckpoint {
  /** Where to continue; absent before the first cursor. */
  cursor?: string;
  /** When it began, by this machine's clock, in milliseconds since 1970. */
  beganAt: number;
  /** When its models were read, in milliseconds since 1970. */
  seenAt: number;
  /** Whether it is the first filling of the inventory. */
  initial: boolean;
  /** Number of the inventory's last write when the cursor was saved. An inventory with fewer writes is another one. */
  change: number;
}

/** SQLite's result codes for a lock that another connection holds, a damaged file and a file of another kind. */
const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/**
 * The stored state of a source's sync: its progress and the models that it saw. It is a SQLite file that one process at
 * a time has open. Writes stay, however the process ends.
 */
export class SyncState {
  readonly #db: DatabaseSync;
  readonly #has: StatementSync;
  readonly #add: StatementSync;

  private constructor(db: DatabaseSync) {
    this.#db = db;
    this.#has = db.prepare("SELECT 1 FROM seen WHERE key = ?");
    this.#add = db.prepare("INSERT OR IGNORE INTO seen (key) VALUES (?)");
  }

  /**
   * Opens the state of a source's sync in the folder that the processes of a machine share.
   *
   * @throws ServiceError SYNC_RUNNING while another session has it open.
   */
  static open(folder: string, source: string): SyncState {
    mkdirSync(join(folder, "syncs"), { recursive: true });
    const file = join(folder, "syncs", `${encodeURIComponent(source)}.sqlite`);
    try {
      return new SyncState(openFile(file));
    } catch (error) {
      const code = (error as { errcode?: number }).errcode;
      if (code === SQLITE_BUSY) {
        throw new ServiceError("SYNC_RUNNING", { source });
      }
      if (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB) {
        throw error;
      }
      // Only the progress of an interrupted sync is lost.
      for (const suffix of ["", "-wal", "-shm"]) {
        rmSync(file + suffix, { force: true });
      }
      return new SyncState(openFile(file));
    }
  }

  /** The last checkpoint; undefined when no sync is unfinished. */
  get progress(): SyncCheckpoint | undefined {
    return this.#read("progress");
  }

  set progress(progress: SyncCheckpoint) {
    this.#write("progress", progress);
  }

  /** The key of the last model that the source was asked about, in all syncs; "" when there is none. */
  get askedUntil(): string {
    return this.#read("askedUntil") ?? "";
  }

  set askedUntil(key: string) {
    this.#write("askedUntil", key);
  }

  /** Notes models that the sync saw. */
  addSeen(keys: readonly string[]): void {
    this.#db.exec("BEGIN");
    for (const key of keys) {
      this.#add.run(key);
    }
    this.#db.exec("COMMIT");
  }

  /** Whether the sync saw a model. */
  hasSeen(key: string): boolean {
    return this.#has.get(key) !== undefined;
  }

  /** Deletes the sync's progress, so that the next one starts at the beginning. */
  clear(): void {
    this.#db.exec("BEGIN; DELETE FROM seen; DELETE FROM notes WHERE name = 'progress'; COMMIT");
  }

  close(): void {
    this.#db.close();
  }

  // biome-ignore lint/suspicious/noExplicitAny: only this class writes the values
  #read(name: string): any {
    const row = this.#db.prepare("SELECT value FROM notes WHERE name = ?").get(name);
    return row === undefined ? undefined : JSON.parse(row.value as string);
  }

  #write(name: string, value: unknown): void {
    this.#db
      .prepare("INSERT INTO notes (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value")
      .run(name, JSON.stringify(value));
  }
}

function openFile(file: string): DatabaseSync {
  const db = new DatabaseSync(file);
  try {
    // The operating system holds the lock until the file is closed, and releases it when the process dies.
    db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    db.exec("BEGIN EXCLUSIVE");
    db.exec("CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY) WITHOUT ROWID");
    db.exec("CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value TEXT NOT NULL)");
    db.exec("COMMIT");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
