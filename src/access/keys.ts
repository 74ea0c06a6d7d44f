import type { Page, PageRequest } from "../store/page.ts";
import type { Tier } from "./tier.ts";

/** What is known of a key; its secret is not. Times are in milliseconds since 1970. */
export interface KeyRecord {
  /** The public part: what stands between `ms_live_` and the next underscore. */
  id: string;
  tier: Tier;
  ownerId: string;
  /** The name of the owner; the id where none was given. */
  ownerName: string;
  /** What the operator calls the key. */
  name?: string;
  createdAt: number;
  expiresAt?: number;
  revokedAt?: number;
  /** When it was last used, to about a minute. */
  lastUsedAt?: number;
}

/** A key to be made. */
export interface NewKey {
  tier: Tier;
  /** An owner of this name (or id) gets the key, and is made where there is none. Default: a new owner. */
  ownerName?: string;
  name?: string;
  /** In milliseconds since 1970, in the future. Default: it does not expire. */
  expiresAt?: number;
}

/** Which keys a list holds. */
export interface KeyFilter {
  ownerName?: string;
  tier?: Tier;
}

/** The keys of a store, for its operator. Every change is in the audit log, in the same transaction. */
export interface Keys {
  /**
   * Makes a key. It can be shown now and never again.
   *
   * @param actor who does it, such as `cli:alice` or `admin-token`.
   * @throws ServiceError INVALID_REQUEST naming `owner`, `name` or `expires_at`.
   */
  create(key: NewKey, actor: string): Promise<{ key: string; record: KeyRecord }>;
  list(page: PageRequest, filter?: KeyFilter): Promise<Page<KeyRecord>>;
  /**
   * Revokes a key. Once revoked it stays so, with the time of the first revocation.
   *
   * @throws ServiceError KEY_NOT_FOUND
   */
  revoke(id: string, actor: string): Promise<KeyRecord>;
}
