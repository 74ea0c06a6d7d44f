import { backup, DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";

/**
 * Copies a SQLite file as it is at one moment, with what is still in its write-ahead log, while others write to it.
 *
 * @throws StoreError if the file cannot be read, or the copy cannot be written.
 */
export async function copySqlite(from: string, to: string): Promise<void> {
  try {
    const source = new DatabaseSync(from, { readOnly: true });
    try {
      await backup(source, to);
    } finally {
      source.close();
    }
  } catch (error) {
    throw new StoreError(`The state in ${from} cannot be copied to ${to}: ${(error as Error).message}`);
  }
}
