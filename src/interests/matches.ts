import { type Page, type PageRequest, readPage, type Store } from "../store/index.ts";
import { listMatches, type MatchFilter, matchesAfter, readHeads } from "../store/tables/index.ts";
import { type Match, readMatch } from "./match.ts";

/** How often it is looked for matches that no signal told of. */
const LOOK_MS = 2_000;
/** Owners of a query. */
const OWNERS_AT_ONCE = 1_000;

/** An owner's matches as they come. */
export interface FollowedMatches {
  /** Some of what is behind a number, in order; of these interests, or of all where there are none named. */
  read(after: number, interestIds: readonly string[], limit: number): Promise<{ matches: Match[]; until: number }>;
  /** To be called when nobody follows any more. */
  end(): void;
}

/**
 * The matches of owners. However many follow them, the database is asked once whether there are new ones: after a
 * signal, and every two seconds.
 */
export class Matches {
  readonly #store: Store;
  /** How many follow the matches of each owner. */
  readonly #followers = new Map<string, number>();
  #heads = new Map<string, number>();
  #isStale = true;
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  constructor(store: Store) {
    this.#store = store;
    // Until the store is closed.
    store.signals.listen("matches", () => {
      this.#isStale = true;
    });
  }

  /** An owner's matches, newest first; a position's `at` is a match's number. */
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
        // What came since the head was read may be among them.
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
    // Before the query: a signal that comes meanwhile may tell of what it does not see.
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
