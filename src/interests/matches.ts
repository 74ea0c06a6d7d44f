import { type Page, type PageRequest, readPage, type Store } from "../store/index.ts";
import { listMatches, type MatchFilter, matchesAfter, readHeads } from "../store/tables/index.ts";
import { type Match, readMatch } from "./match.ts";

/** How often to look for matches without a signal. */
const LOOK_MS = 2_000;
/** Owners in one query. */
const OWNERS_AT_ONCE = 1_000;

/** An owner's matches as they come in. */
export interface FollowedMatches {
  /** Reads some matches behind a number, in order: those of the named interests, or of all if none is named. */
  read(after: number, interestIds: readonly string[], limit: number): Promise<{ matches: Match[]; until: number }>;
  /** Call it when the follower leaves. */
  end(): void;
}

/**
 * The matches of owners. The database is asked for new ones once for all followers: after a signal, and every two
 * seconds.
 */
export class Matches {
  readonly #store: Store;
  /** How many followers each owner has. */
  readonly #followers = new Map<string, number>();
  #heads = new Map<string, number>();
  #isStale = true;
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
    // Stays until the store is closed.
    store.signals.listen("matches", () => {
      this.#isStale = true;
    });
  }

  /** An owner's matches, newest first. The `at` of a page's position is the number of a match. */
  async list(ownerId: string, page: PageRequest, filter: MatchFilter): Promise<Page<Match>> {
    const { items, next } = await readPage(
      page,
      ({ size, after }) => listMatches(this.#store.db, ownerId, filter, { size, before: after?.at }),
      (row) => ({ at: row.number, id: row.id }),
    );
    return { items: items.map(readMatch), next };
  }

  /** The number of an owner's last match; 0 before the first. */
  async last(ownerId: string): Promise<number> {
    return (await readHeads(this.#store.db, [ownerId])).get(ownerId) as number;
  }

  follow(ownerId: string): FollowedMatches {
    const count = this.#followers.get(ownerId) ?? 0;
    if (count === 0) {
      this.#isStale = true;
    }
    this.#followers.set(ownerId, count + 1);
    return {
      read: async (after, interestIds, limit) => {
        const head = await this.#head(ownerId);
        if (head <= after) {
          return { matches: [], until: after };
        }
        const rows = await matchesAfter(this.#store.db, ownerId, { after, interestIds, limit });
        // Matches recorded after the head was read may be among them.
        const last = rows.at(-1)?.number ?? after;
        return { matches: rows.map(readMatch), until: rows.length < limit ? Math.max(head, last) : last };
      },
      end: () => {
        const left = (this.#followers.get(ownerId) ?? 1) - 1;
        if (left > 0) {
          this.#followers.set(ownerId, left);
        } else {
          this.#followers.delete(ownerId);
        }
      },
    };
  }

  async #head(ownerId: string): Promise<number> {
    while (this.#isStale || performance.now() - this.#readAt >= LOOK_MS) {
      this.#reading ??= this.#readHeads().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    return this.#heads.get(ownerId) ?? 0;
  }

  async #readHeads(): Promise<void> {
    // Before the query: it may miss the matches of a signal that arrives during it.
    this.#isStale = false;
    const heads = new Map<string, number>();
    try {
      const owners = [...this.#followers.keys()];
      for (let i = 0; i < owners.length; i += OWNERS_AT_ONCE) {
        const some = await readHeads(this.#store.db, owners.slice(i, i + OWNERS_AT_ONCE));
        for (const [owner, head] of some) {
          heads.set(owner, head);
        }
      }
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    this.#heads = heads;
    this.#readAt = performance.now();
  }
}
