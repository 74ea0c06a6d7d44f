import { type FieldViolation, invalidRequest, notFound } from "../error.ts";
import { byCreation, newId, type Page, type PageRequest, readPage, type Store } from "../store/index.ts";
import {
  findOwnedKey,
  findOwner,
  insertApiKey,
  insertOwner,
  listApiKeys,
  type OwnedKey,
  revokeApiKey,
} from "../store/tables/index.ts";
import { isKeyId, newApiKey } from "./api-key.ts";
import { recordAct } from "./audit.ts";
import { readTier, type Tier, tiers } from "./caller.ts";

/** A key without its secret, which is not stored. Times are in milliseconds since 1970. */
export interface KeyRecord {
  /** The public part, between `ms_live_` and the next underscore. */
  id: string;
  tier: Tier;
  ownerId: string;
  /** The name of the owner; its id if the operator gave no name. */
  ownerName: string;
  /** The operator's name for the key. */
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
  /** The name or id of the key's owner, who is created if there is none. Default: a new owner. */
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
   * @param actor the operator, such as `cli:alice` or `admin-token`.
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

/** How keys are managed. */
export interface KeysOptions {
  /** The time in milliseconds since 1970. Default: the system's. */
  now?: () => number;
  /** Called with the id of every key that was revoked here. */
  onRevoked?: (keyId: string) => void;
}

/** The keys of a store. */
export function createKeys({ db }: Store, { now = Date.now, onRevoked }: KeysOptions = {}): Keys {
  return {
    async create(wanted, actor) {
      const at = now();
      const { tier, ownerName, name, expiresAt } = checked(wanted, at);
      const { id, key, hash } = newApiKey();
      const record = await db.transaction().execute(async (transaction) => {
        const ownerId = newId(OWNER, at);
        const known = ownerName === undefined ? undefined : await findOwner(transaction, ownerName);
        if (known === undefined && ownerName?.startsWith(OWNER_PREFIX)) {
          throw invalidRequest([{ field: "owner", description: `is ${ownerName}; there is no owner with that id` }]);
        }
        const owner =
          known ?? (await insertOwner(transaction, { id: ownerId, name: ownerName ?? ownerId, created_at: at }));
        await insertApiKey(transaction, {
          id,
          owner_id: owner.id,
          tier,
          name: name ?? null,
          hash,
          created_at: at,
          expires_at: expiresAt ?? null,
          revoked_at: null,
          last_used_at: null,
        });
        const details = { tier, owner: owner.id };
        await recordAct(transaction, { actor, action: "keys.create", target: id, result: "done", details }, at);
        return { id, tier, ownerId: owner.id, ownerName: owner.name, name, createdAt: at, expiresAt };
      });
      return { key, record };
    },

    async list(page, { ownerName: owner, tier } = {}) {
      const { items, next } = await readPage(page, (request) => listApiKeys(db, request, { owner, tier }), byCreation);
      return { items: items.map(toRecord), next };
    },

    async revoke(id, actor) {
      // A text that is no id may be a whole key, which must not be repeated.
      if (!isKeyId(id)) {
        throw invalidRequest([{ field: "id", description: "must be the 12 characters after ms_live_" }]);
      }
      const at = now();
      const row = await db.transaction().execute(async (transaction) => {
        const isNew = await revokeApiKey(transaction, id, at);
        const revoked = await findOwnedKey(transaction, id);
        const result = isNew ? "done" : revoked === undefined ? "not found" : "unchanged";
        await recordAct(transaction, { actor, action: "keys.revoke", target: id, result, details: {} }, at);
        return revoked;
      });
      if (row === undefined) {
        throw notFound("KEY_NOT_FOUND", id, []);
      }
      onRevoked?.(id);
      return toRecord(row);
    },
  };
}

const OWNER = "own";
const OWNER_PREFIX = `${OWNER}_`;
const MOST_NAME_CHARS = 100;

/** The checked values of a new key. @throws ServiceError INVALID_REQUEST with all violations. */
function checked({ tier, ownerName, name, expiresAt }: NewKey, now: number): NewKey {
  const violations: FieldViolation[] = [];
  if (!tiers.includes(tier)) {
    violations.push({ field: "tier", description: `is ${JSON.stringify(tier)}; must be one of ${tiers.join(", ")}` });
  }
  for (const [field, value] of [
    ["owner", ownerName],
    ["name", name],
  ] as const) {
    if (value !== undefined && !isName(value)) {
      const description = `must have 1 to ${MOST_NAME_CHARS} characters, no control characters, and no spaces at its ends`;
      violations.push({ field, description });
    }
  }
  if (expiresAt !== undefined && !(expiresAt > now && expiresAt <= LAST_TIME_MS)) {
    violations.push({ field: "expires_at", description: "must be in the future, and before the year 10000" });
  }
  if (violations.length > 0) {
    throw invalidRequest(violations);
  }
  return { tier, ownerName, name, expiresAt: expiresAt === undefined ? undefined : Math.floor(expiresAt) };
}

const LAST_TIME_MS = Date.UTC(9999, 11, 31);

function isName(text: string): boolean {
  return text.isWellFormed() && text.trim() === text && /^\P{Cc}+$/u.test(text) && [...text].length <= MOST_NAME_CHARS;
}

function toRecord(row: OwnedKey): KeyRecord {
  return {
    id: row.id,
    tier: readTier(row.tier),
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    name: row.name ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  };
}
