import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Models that satisfied interests: one row per interest and model. */
export interface MatchesTable {
  id: string;
  owner_id: string;
  /** Increases per owner in the order of commits, with gaps. */
  number: number;
  interest_id: string;
  model_key: string;
  /** `added` or `changed`. */
  cause: string;
  /** 0 to 1. */
  score: number;
  /** JSON: a summary of the model at that time. */
  model: string;
  /** JSON: sentences. */
  reasons: string;
  /** JSON: sentences. */
  tradeoffs: string;
  matched_at: number;
}

/** A match with its interest's name. */
export interface NamedMatch extends MatchesTable {
  interest_name: string;
}

/** Inserts the matches that do not exist yet. @returns the ids of the new ones. */
export async function insertMatches(db: Kysely<Database>, matches: readonly MatchesTable[]): Promise<Set<string>> {
  if (matches.length === 0) {
    return new Set();
  }
  const rows = await db
    .insertInto("matches")
    .values(matches)
    .onConflict((conflict) => conflict.columns(["interest_id", "model_key"]).doNothing())
    .returning("id")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

const namedMatches = (db: Kysely<Database>, ownerId: string) =>
  db
    .selectFrom("matches")
    .innerJoin("interests", "interests.id", "matches.interest_id")
    .selectAll("matches")
    .select("interests.name as interest_name")
    .where("matches.owner_id", "=", ownerId);

/** Selects some of an owner's matches. */
export interface MatchFilter {
  interestId?: string;
  modelKey?: string;
  /** Only those found since this time, in milliseconds since 1970. */
  since?: number;
}

/** An owner's matches, newest first. @param before only those with lower numbers. */
export function listMatches(
  db: Kysely<Database>,
  ownerId: string,
  { interestId, modelKey, since }: MatchFilter,
  { size, before }: { size: number; before?: number },
): Promise<NamedMatch[]> {
  return namedMatches(db, ownerId)
    .$if(interestId !== undefined, (query) => query.where("matches.interest_id", "=", interestId as string))
    .$if(modelKey !== undefined, (query) => query.where("matches.model_key", "=", modelKey as string))
    .$if(since !== undefined, (query) => query.where("matches.matched_at", ">=", since as number))
    .$if(before !== undefined, (query) => query.where("matches.number", "<", before as number))
    .orderBy("matches.number", "desc")
    .limit(size)
    .execute();
}

/** An owner's matches after a number, in order. @param interestIds only those of these interests; empty: of all. */
export function matchesAfter(
  db: Kysely<Database>,
  ownerId: string,
  { after, interestIds, limit }: { after: number; interestIds: readonly string[]; limit: number },
): Promise<NamedMatch[]> {
  return namedMatches(db, ownerId)
    .where("matches.number", ">", after)
    .$if(interestIds.length > 0, (query) => query.where("matches.interest_id", "in", interestIds))
    .orderBy("matches.number")
    .limit(limit)
    .execute();
}

/** Deletes matches found before a time, some at a time. @returns whether there may be more. */
export async function pruneMatches(db: Kysely<Database>, before: number, rows: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("matches")
    .where("id", "in", (query) => query.selectFrom("matches").select("id").where("matched_at", "<", before).limit(rows))
    .executeTakeFirst();
  return numDeletedRows >= BigInt(rows);
}

/**
 * The number of each owner's last match. Every writer of an owner's matches or interests first updates this row, which
 * locks it until the commit, so that an owner's numbers follow the order of commits.
 */
export interface MatchHeadsTable {
  owner_id: string;
  last: number;
}

/** How many numbers an owner's new matches need. */
export interface TakenNumbers {
  ownerId: string;
  count: number;
}

/**
 * Reserves numbers for matches, and locks the owners' rows against other writers until the transaction ends.
 *
 * @param wanted at least one, each owner once.
 * @returns the last of each owner's numbers, by owner.
 */
export async function takeNumbers(
  transaction: Kysely<Database>,
  wanted: readonly TakenNumbers[],
): Promise<Map<string, number>> {
  // Always in one order, so that two callers with several owners cannot deadlock.
  const rows = wanted
    .map(({ ownerId, count }) => ({ owner_id: ownerId, last: count }))
    .sort((a, b) => (a.owner_id < b.owner_id ? -1 : 1));
  const taken = await transaction
    .insertInto("match_heads")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("owner_id").doUpdateSet((is) => ({ last: is("match_heads.last", "+", is.ref("excluded.last")) })),
    )
    .returning(["owner_id", "last"])
    .execute();
  return new Map(taken.map(({ owner_id, last }) => [owner_id, last]));
}

/**
 * Locks an owner's interests and matches against other writers until the transaction ends. It locks another row than
 * lockOwner, so the two do not exclude each other.
 *
 * @throws Error if the owner does not exist.
 */
export async function lockMatchHead(transaction: Kysely<Database>, ownerId: string): Promise<void> {
  await takeNumbers(transaction, [{ ownerId, count: 0 }]);
}

/** The numbers of the owners' last matches, by owner. 0 for an owner without any. */
export async function readHeads(db: Kysely<Database>, owners: readonly string[]): Promise<Map<string, number>> {
  const heads = new Map(owners.map((owner) => [owner, 0]));
  if (owners.length === 0) {
    return heads;
  }
  const rows = await db.selectFrom("match_heads").selectAll().where("owner_id", "in", owners).execute();
  for (const { owner_id, last } of rows) {
    heads.set(owner_id, last);
  }
  return heads;
}
