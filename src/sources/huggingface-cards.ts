import { type CardText, cardText } from "./card-text.ts";
import { hubPath } from "./hub-path.ts";
import type { HubModel } from "./huggingface-api.ts";
import type { ListingOptions } from "./source.ts";
import { SourceError } from "./source-error.ts";
import type { SourceHttp } from "./source-http.ts";

/** Remembers model cards by the repository's state. */
export interface CardCache {
  /** The card's Markdown; null where the repository has none; undefined where that is not known. */
  get(name: string, revision: string): string | null | undefined;
  set(name: string, revision: string, markdown: string | null): void;
}

/** What is read of a card: its text is cut to a fraction of it. */
const MAX_CARD_BYTES = 200_000;
/** After so many cards in a row that could not be had, no more are asked for. */
const MOST_LOST_CARDS = 10;

/**
 * Reads model cards, from the cache where the repository did not change. A card that cannot be had is told and left out.
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
    if (lostInRow >= MOST_LOST_CARDS) return undefined;
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
      if (signal?.aborted || !(error instanceof SourceError)) throw error;
      lostInRow++;
      onDetailLost?.(`The card of ${id}: ${error.message}`);
      if (lostInRow === MOST_LOST_CARDS) onDetailLost?.(`${MOST_LOST_CARDS} cards in a row: no more are asked for`);
      return undefined;
    }
  }
}
