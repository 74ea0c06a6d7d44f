import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { CardCache } from "./huggingface-cards.ts";

/** Cards that no listing asked for in this time are forgotten. */
const KEPT_MS = 60 * 86_400_000;

/** A cache of model cards in a SQLite file, which processes may share. What is in it can always be asked for again. */
export function openCardCache(file: string): CardCache & { close(): void } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(file);
  chmodSync(file, 0o600);
  // A lost write costs a request.
  db.exec("PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  db.exec(
    "CREATE TABLE IF NOT EXISTS cards (name TEXT PRIMARY KEY, revision TEXT NOT NULL, markdown TEXT, used_at INTEGER NOT NULL) WITHOUT ROWID",
  );
  db.prepare("DELETE FROM cards WHERE used_at < ?").run(Date.now() - KEPT_MS);
  const read = db.prepare("UPDATE cards SET used_at = ? WHERE name = ? AND revision = ? RETURNING markdown");
  const write = db.prepare("INSERT OR REPLACE INTO cards (name, revision, markdown, used_at) VALUES (?, ?, ?, ?)");
  return {
    get(name, revision) {
      const row = read.get(Date.now(), name, revision) as { markdown: string | null } | undefined;
      return row?.markdown;
    },
    set: (name, revision, markdown) => void write.run(name, revision, markdown, Date.now()),
    close: () => db.close(),
  };
}
