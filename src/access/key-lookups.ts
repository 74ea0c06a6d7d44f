import type { Store } from "../store/store.ts";
import { type ApiKeysTable, findApiKeysByHash } from "../store/tables/api-keys.ts";

/** Queries at a time. One that hangs must not hold up all callers. */
const MOST_QUERIES = 4;
/** Hashes that one query looks for; both databases take ten times as many parameters. */
const MOST_HASHES = 500;

interface Waiting {
  hash: string;
  resolve: (row: ApiKeysTable | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks up keys by their hashes in at most four queries at a time. Hashes that arrive meanwhile wait and share the next
 * query, so the database has the same work whether ten keys are guessed a second or ten thousand, and no look-up has to
 * be refused.
 */
export class KeyLookups {
  readonly #store: Store;
  #waiting: Waiting[] = [];
  #running = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The key of that hash; undefined when there is none. @throws ServiceError STATE_UNAVAILABLE */
  find(hash: string): Promise<ApiKeysTable | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ hash, resolve, reject });
      if (this.#running < MOST_QUERIES) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running += 1;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, MOST_HASHES);
      try {
        const rows = await findApiKeysByHash(
          this.#store.db,
          asked.map(({ hash }) => hash),
        );
        const found = new Map(rows.map((row) => [row.hash, row]));
        for (const { hash, resolve } of asked) resolve(found.get(hash));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    this.#running -= 1;
  }
}
