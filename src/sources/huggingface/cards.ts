import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type CardText, cardText } from "../record/card-text.ts";
import { type ListingOptions, SourceError } from "../source.ts";
import type { SourceHttp } from "../source-http.ts";
import { type HubModel, hubPath } from "./api.ts";

/** Keeps model cards by revision of the repository. */
export interface CardCache {
  /** The card's Markdown; null if the repository has none; undefined if it is not in the cache. */
  get(name: string, revision: string): string | null | undefined;
  set(name: string, revision: string, markdown: string | null): void;
}

/** Bytes read of a card, several times as much as its text keeps. */
const MAX_CARD_BYTES = 200_000;
/** After so many failed cards in a row, no more are requested. */
const MOST_LOST_CARDS = 10;

/**
 * Reads model cards, from the cache if the repository has not changed. A card that cannot be read is reported and left
 * out.
 */
export function createCardReader(
  http: SourceHttp,
  hubUrl: string,
  cache: CardCache | undefined,
  { onDetailLost, signal }: ListingOptions,
): (model: HubModel) => Promise<CardText | undefined> {
  let lostInRow = 0;
  return async ({ id, sha }) => {
    const known = sha ? cache?.get(id, sha) : undefined;
    const markdown = known === undefined ? await fetchCard(id, sha ?? "") : known;
    return markdown === null || markdown === undefined ? undefined : cardText(markdown);
  };

  async function fetchCard(id: string, sha: string): Promise<string | null | undefined> {
    if (lostInRow >= MOST_LOST_CARDS) {
      return undefined;
    }
    try {
      const { value } = await http.request(`${hubUrl}/${hubPath(id)}/resolve/main/README.md`, {
        accept: "text/plain",
        maxBytes: MAX_CARD_BYTES,
        cut: true,
        read: (bytes) => bytes.toString("utf8"),
      });
      lostInRow = 0;
      cache?.set(id, sha, value ?? null);
      return value ?? null;
    } catch (error) {
      if (signal?.aborted || !(error instanceof SourceError)) {
        throw error;
      }
      lostInRow++;
      onDetailLost?.(`The card of ${id}: ${error.message}`);
      if (lostInRow === MOST_LOST_CARDS) {
        onDetailLost?.(`${MOST_LOST_CARDS} cards in a row could not be read, so no more cards are requested`);
      }
      return undefined;
    }
  }
}

/** Cards that no listing used in this time are deleted. */
const KEPT_MS = 60 * 86_400_000;

/** A cache of model cards in a SQLite file that processes may share. Everything in it can be fetched again. */
export function openCardCache(file: string): CardCache & { close(): void } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(file);
  chmodSync(file, 0o600);
  // Losing a write costs only a request.
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
