import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import { onPage, type PageRequest } from "../page.ts";

/** API keys, without their secret parts. */
export interface ApiKeysTable {
  id: string;
  owner_id: string;
  tier: string;
  name: string | null;
  /** SHA-256 of the whole key, in hexadecimal digits; unique. */
  hash: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/** A key with its owner's name. */
export interface OwnedKey extends ApiKeysTable {
  owner_name: string;
}

const ownedKeys = (db: Kysely<Database>) =>
  db
    .selectFrom("api_keys")
    .innerJoin("owners", "owners.id", "api_keys.owner_id")
    .selectAll("api_keys")
    .select("owners.name as owner_name");

export async function insertApiKey(db: Kysely<Database>, key: ApiKeysTable): Promise<void> {
  await db.insertInto("api_keys").values(key).execute();
}

export function findApiKey(db: Kysely<Database>, id: string): Promise<ApiKeysTable | undefined> {
  return db.selectFrom("api_keys").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The keys with these hashes, in no order. The time does not depend on how close a guess comes. */
export function findApiKeysByHash(db: Kysely<Database>, hashes: readonly string[]): Promise<ApiKeysTable[]> {
  return db.selectFrom("api_keys").selectAll().where("hash", "in", hashes).execute();
}

export function findOwnedKey(db: Kysely<Database>, id: string): Promise<OwnedKey | undefined> {
  return ownedKeys(db).where("api_keys.id", "=", id).executeTakeFirst();
}

/** Keys, newest first. `owner` is a name or an id. */
export function listApiKeys(
  db: Kysely<Database>,
  page: PageRequest,
  { owner, tier }: { owner?: string; tier?: string },
): Promise<OwnedKey[]> {
  return ownedKeys(db)
    .$if(owner !== undefined, (query) =>
      query.where((is) => is.or([is("owners.name", "=", owner as string), is("owners.id", "=", owner as string)])),
    )
    .$if(tier !== undefined, (query) => query.where("api_keys.tier", "=", tier as string))
    .$call((query) => onPage(query, page, ["api_keys.created_at", "api_keys.id"]))
    .execute();
}

/** The owners with a valid key of a tier. @param now in milliseconds since 1970. */
export async function ownersWithKey(db: Kysely<Database>, tier: string, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom("api_keys")
    .select("owner_id")
    .distinct()
    .where("tier", "=", tier)
    .where("revoked_at", "is", null)
    .where((is) => is.or([is("expires_at", "is", null), is("expires_at", ">", now)]))
    .execute();
  return rows.map(({ owner_id }) => owner_id);
}

/** @returns false if the key was revoked before. */
export async function revokeApiKey(db: Kysely<Database>, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("api_keys")
    .set({ revoked_at: at })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records a use, unless a later one is recorded. */
export async function touchApiKey(db: Kysely<Database>, id: string, at: number): Promise<void> {
  await db
    .updateTable("api_keys")
    .set({ last_used_at: at })
    .where("id", "=", id)
    .where((is) => is.or([is("last_used_at", "is", null), is("last_used_at", "<", at)]))
    .execute();
}
