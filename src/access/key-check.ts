import { randomBytes } from "node:crypto";
import { ServiceError } from "../error.ts";
import type { Store } from "../store/index.ts";
import { type ApiKeysTable, findApiKey, findApiKeysByHash, touchApiKey } from "../store/tables/index.ts";
import { type ApiKeyFacts, equalHashes } from "./api-key.ts";

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

/** Keeps what was loaded for a moment; those who ask for the same at the same time share one loading. */
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

  /** What is kept or loaded now; it is no older than when its loading began. Failures are not kept. */
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

  /** A clock that was put back must not make anything last longer. */
  #isFresh(begun: number, now: number): boolean {
    return now >= begun && now - begun < this.#ttlMs;
  }
}

/** How long a key may go on after its revocation, on every replica. */
const CALLER_TTL_MS = 500;
/** Streams ask twice a second; together they end within one. */
const STREAM_TTL_MS = 250;

/** Tells whether keys hold. */
export class KeyCheck {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #lookups: KeyLookups;
  readonly #presented: ShortCache<ApiKeysTable>;
  readonly #ofStreams: ShortCache<ApiKeysTable | undefined>;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
    this.#lookups = new KeyLookups(store);
    this.#presented = new ShortCache({ ttlMs: CALLER_TTL_MS, now });
    this.#ofStreams = new ShortCache({ ttlMs: STREAM_TTL_MS, now });
  }

  /** The row of a key that holds. @throws ServiceError API_KEY_UNKNOWN, API_KEY_REVOKED or API_KEY_EXPIRED */
  async row({ hash }: ApiKeyFacts): Promise<ApiKeysTable> {
    const row = await this.#presented.get(hash, () => this.#find(hash));
    if (row.revoked_at !== null) {
      throw new ServiceError("API_KEY_REVOKED", { at: toTime(row.revoked_at) });
    }
    if (this.#isExpired(row)) {
      throw new ServiceError("API_KEY_EXPIRED", { at: toTime(row.expires_at as number) });
    }
    return row;
  }

  /** Whether the key of that id holds. */
  async isValid(id: string): Promise<boolean> {
    const row = await this.#ofStreams.get(id, () => findApiKey(this.#store.db, id));
    return row !== undefined && row.revoked_at === null && !this.#isExpired(row);
  }

  /** Makes what this process changes hold for it at once. */
  forget(): void {
    this.#presented.clear();
    this.#ofStreams.clear();
  }

  async #find(hash: string): Promise<ApiKeysTable> {
    // By hash and not by id: a wrong secret of an id that is in use finds as little as an unknown id, in the same time,
    // here as in the cache. What a search by hash tells of hashes is of no use: nobody can make a key for one.
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

/** The hash of no key. */
const decoy = randomBytes(32).toString("hex");

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** How exactly the last use of a key is told. */
const GRAIN_MS = 60_000;

/** Keeps when keys were last used: in memory, and written when `flush` is called, a key at most once a minute. */
export class LastUse {
  readonly #store: Store;
  /** When this process last took note of a key. */
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

  /** Writes what is pending. What cannot be written stays so. */
  async flush(): Promise<void> {
    for (const [keyId, at] of [...this.#pending]) {
      await this.#store.relaxed((db) => touchApiKey(db, keyId, at));
      if (this.#pending.get(keyId) === at) {
        this.#pending.delete(keyId);
      }
    }
  }
}
