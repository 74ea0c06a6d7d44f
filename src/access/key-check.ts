import { randomBytes } from "node:crypto";
import { ServiceError } from "../error.ts";
import type { Store } from "../store/store.ts";
import { type ApiKeysTable, findApiKey } from "../store/tables/api-keys.ts";
import { type ApiKeyFacts, equalHashes } from "./api-key.ts";
import { KeyLookups } from "./key-lookups.ts";
import { ShortCache } from "./short-cache.ts";

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
    if (row.revoked_at !== null) throw new ServiceError("API_KEY_REVOKED", { at: toTime(row.revoked_at) });
    if (this.#isExpired(row)) throw new ServiceError("API_KEY_EXPIRED", { at: toTime(row.expires_at as number) });
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
    if (!equalHashes(hash, row?.hash ?? decoy) || row === undefined) throw new ServiceError("API_KEY_UNKNOWN");
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
