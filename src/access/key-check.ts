import { randomBytes, timingSafeEqual } from "node:crypto";
import { ServiceError } from "../error.ts";
import type { Store } from "../store/index.ts";
import { type ApiKeysTable, findApiKey, findApiKeysByHash, touchApiKey } from "../store/tables/index.ts";
import type { ApiKeyFacts } from "./api-key.ts";

/** Queries at a time. A query that hangs must not delay all callers. */
const MOST_QUERIES = 4;
/** Hashes in one query. Both databases allow ten times that number of parameters. */
const MOST_HASHES = 500;

interface Waiting {
  hash: string;
  resolve: (row: ApiKeysTable | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Looks up keys by their hashes in at most four queries at a time. Hashes that arrive meanwhile share the next query,
 * so the load on the database is the same for ten guesses a second and for ten thousand, and no look-up is refused.
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
      if (this.#running < MOST_QUERIES) {
        void this.#run();
      }
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
        for (const { hash, resolve } of asked) {
          resolve(found.get(hash));
        }
      } catch (error) {
        for (const { reject } of asked) {
          reject(error);
        }
      }
    }
    this.#running -= 1;
  }
}

/** Caches loaded values for a short time. Concurrent calls for the same key share one load. */
export class ShortCache<T> {
  readonly #ttlMs: number;
  readonly #now: () => number;
  /** In the order of loading. */
  readonly #entries = new Map<string, { begun: number; value: Promise<T> }>();

  /** @param now the time in milliseconds. */
  constructor({ ttlMs, now }: { ttlMs: number; now: () => number }) {
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** The cached value, or a newly loaded one. Its age counts from the start of its load. Failures are not cached. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const now = this.#now();
    for (const [old, { begun }] of this.#entries) {
      if (this.#isFresh(begun, now)) {
        break;
      }
      this.#entries.delete(old);
    }
    const known = this.#entries.get(key);
    if (known !== undefined && this.#isFresh(known.begun, now)) {
      return known.value;
    }
    const entry = { begun: now, value: load() };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) {
        this.#entries.delete(key);
      }
    });
    return entry.value;
  }

  clear(): void {
    this.#entries.clear();
  }

  /** A clock that was set back must not make an entry last longer. */
  #isFresh(begun: number, now: number): boolean {
    return now >= begun && now - begun < this.#ttlMs;
  }
}

/** How long a revoked key may still work, on every replica. */
const CALLER_TTL_MS = 500;
/** Streams ask twice a second; together they end within one. */
const STREAM_TTL_MS = 250;

/** Checks whether keys are valid, and records their use. */
export class KeyCheck {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #lookups: KeyLookups;
  readonly #lastUse: LastUse;
  readonly #presented: ShortCache<ApiKeysTable>;
  readonly #ofStreams: ShortCache<ApiKeysTable | undefined>;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#lookups = new KeyLookups(store);
    this.#lastUse = new LastUse(store);
    this.#presented = new ShortCache({ ttlMs: CALLER_TTL_MS, now });
    this.#ofStreams = new ShortCache({ ttlMs: STREAM_TTL_MS, now });
  }

  /** The row of a valid key, which is used now. @throws ServiceError API_KEY_UNKNOWN, API_KEY_REVOKED or API_KEY_EXPIRED */
  async row({ hash }: ApiKeyFacts): Promise<ApiKeysTable> {
    const row = await this.#presented.get(hash, () => this.#find(hash));
    if (row.revoked_at !== null) {
      throw new ServiceError("API_KEY_REVOKED", { at: toTime(row.revoked_at) });
    }
    if (this.#isExpired(row)) {
      throw new ServiceError("API_KEY_EXPIRED", { at: toTime(row.expires_at as number) });
    }
    this.#lastUse.note(row.id, this.#now());
    return row;
  }

  /** Whether the key with an id is valid. */
  async isValid(id: string): Promise<boolean> {
    const row = await this.#ofStreams.get(id, () => findApiKey(this.#store.db, id));
    return row !== undefined && row.revoked_at === null && !this.#isExpired(row);
  }

  /** Clears the caches, so that this process sees its own changes at once. */
  forget(): void {
    this.#presented.clear();
    this.#ofStreams.clear();
  }

  /** Writes when keys were last used. */
  flush(): Promise<void> {
    return this.#lastUse.flush();
  }

  async #find(hash: string): Promise<ApiKeysTable> {
    // By hash, not by id: a wrong secret for an existing id finds nothing, like an unknown id, and takes the same time,
    // here and in the cache. Knowing that a hash exists is no use: nobody can make a key for it.
    const row = await this.#lookups.find(hash);
    if (!equalHashes(hash, row?.hash ?? decoy) || row === undefined) {
      throw new ServiceError("API_KEY_UNKNOWN");
    }
    return row;
  }

  #isExpired({ expires_at }: ApiKeysTable): boolean {
    return expires_at !== null && this.#now() >= expires_at;
  }
}

/** Whether two hashes are equal, compared in constant time. */
export function equalHashes(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(a, "hex"), Buffer.from(b, "hex"));
}

/** The hash of no key. */
const decoy = randomBytes(32).toString("hex");

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The precision of a key's last use. */
const GRAIN_MS = 60_000;

/** Records when keys were last used, in memory. `flush` writes it, for each key at most once a minute. */
class LastUse {
  readonly #store: Store;
  /** When this process last noted a use of a key. */
  readonly #noted = new Map<string, number>();
  readonly #pending = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
  }

  note(keyId: string, now: number): void {
    const noted = this.#noted.get(keyId);
    if (noted !== undefined && now >= noted && now - noted < GRAIN_MS) {
      return;
    }
    this.#noted.set(keyId, now);
    this.#pending.set(keyId, now);
  }

  /** Writes the pending times. A time that cannot be written stays pending. */
  async flush(): Promise<void> {
    for (const [keyId, at] of [...this.#pending]) {
      await this.#store.relaxed(touchApiKey, keyId, at);
      if (this.#pending.get(keyId) === at) {
        this.#pending.delete(keyId);
      }
    }
  }
}
