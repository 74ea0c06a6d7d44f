import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import { onPage, type PageRequest } from "../page.ts";

/** Interests of owners. */
export interface InterestsTable {
  id: string;
  owner_id: string;
  name: string;
  /** JSON: description, filter, ignored wishes and priority. */
  need: string;
  /** 0 to 1. */
  min_score: number;
  /** Number of the inventory's last write when the need was saved. Only later writes can match. */
  since_change: number;
  /** Increases when the need changes. Results for an earlier revision are not matches. */
  revision: number;
  created_at: number;
  updated_at: number;
}

export async function insertInterest(db: Kysely<Database>, interest: InterestsTable): Promise<void> {
  await db.insertInto("interests").values(interest).execute();
}

/** An owner's interest. Undefined for another owner's, and for one that does not exist. */
export function findInterest(db: Kysely<Database>, ownerId: string, id: string): Promise<InterestsTable | undefined> {
  return db.selectFrom("interests").selectAll().where("owner_id", "=", ownerId).where("id", "=", id).executeTakeFirst();
}

/** An owner's interests, newest first. */
export function listInterests(db: Kysely<Database>, ownerId: string, page: PageRequest): Promise<InterestsTable[]> {
  return db
    .selectFrom("interests")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .$call((query) => onPage(query, page, ["created_at", "id"]))
    .execute();
}

export async function countInterests(db: Kysely<Database>, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom("interests")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Those ids that are an owner's interests. */
export async function ownedInterests(db: Kysely<Database>, ownerId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) {
    return [];
  }
  const rows = await db
    .selectFrom("interests")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("id", "in", ids)
    .execute();
  return rows.map(({ id }) => id);
}

export async function updateInterest(
  db: Kysely<Database>,
  { id, ...values }: Omit<InterestsTable, "owner_id" | "created_at">,
): Promise<void> {
  await db.updateTable("interests").set(values).where("id", "=", id).execute();
}

/** Deletes an owner's interest with its matches. @returns whether there was one. */
export async function deleteInterest(db: Kysely<Database>, ownerId: string, id: string): Promise<boolean> {
  if ((await findInterest(db, ownerId, id)) === undefined) {
    return false;
  }
  await db.deleteFrom("matches").where("interest_id", "=", id).execute();
  await db.deleteFrom("interests").where("id", "=", id).execute();
  return true;
}

/** Ids and revisions of all interests, a page at a time in the order of ids. */
export function readRevisions(
  db: Kysely<Database>,
  afterId: string,
  limit: number,
): Promise<Array<Pick<InterestsTable, "id" | "revision">>> {
  return db
    .selectFrom("interests")
    .select(["id", "revision"])
    .where("id", ">", afterId)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** The interests with these ids. */
export async function readInterests(db: Kysely<Database>, ids: readonly string[]): Promise<InterestsTable[]> {
  return ids.length === 0 ? [] : db.selectFrom("interests").selectAll().where("id", "in", ids).execute();
}

/** The owners with interests. */
export async function ownersWithInterests(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom("interests").select("owner_id").distinct().execute();
  return rows.map(({ owner_id }) => owner_id);
}

/** The lowest change number that an interest waits from. Undefined without interests. */
export async function firstAwaited(db: Kysely<Database>): Promise<number | undefined> {
  const { first } = await db
    .selectFrom("interests")
    .select(({ fn }) => fn.min("since_change").as("first"))
    .executeTakeFirstOrThrow();
  return first === null || first === undefined ? undefined : Number(first);
}

/** Lets no interest wait for a change above this number, for an inventory whose numbers start again. */
export async function lowerAwaited(db: Kysely<Database>, change: number): Promise<void> {
  await db
    .updateTable("interests")
    .set((is) => ({ since_change: change, revision: is("revision", "+", 1) }))
    .where("since_change", ">", change)
    .execute();
}
