import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Models that satisfied interests: one row for each interest and model. */
export interface MatchesTable {
  id: string;
  owner_id: string;
  /** Counts up for each owner, in the order of commits; with gaps. */
  number: number;
  interest_id: string;
  model_key: string;
  /** `added` or `changed`. */
  cause: string;
  /** 0 to 1. */
  score: number;
  /** JSON: the model in short, as it was. */
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

/** Writes those matches that there are none of yet. @returns the ids of those that are new. */
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

/** Which of an owner's matches. */
export interface MatchFilter {
  interestId?: string;
  modelKey?: string;
  /** Found since then, in milliseconds since 1970. */
  since?: number;
}

/** An owner's matches from the newest to the oldest. @param before those with lower numbers. */
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

/** An owner's matches behind a number, in their order. @param interestIds those of these; empty: of all. */
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

/** Forgets matches found before a time, some rows at a time. @returns whether there may be more. */
export async function pruneMatches(db: Kysely<Database>, before: number, rows: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("matches")
    .where("id", "in", (query) => query.selectFrom("matches").select("id").where("matched_at", "<", before).limit(rows))
    .executeTakeFirst();
  return numDeletedRows >= BigInt(rows);
}

/**
 * The number of each owner's last match. Who writes an owner's matches or interests updates the row first and so has it
 * locked until the commit: the numbers of an owner follow the order of commits.
 */
export interface MatchHeadsTable {
  owner_id: string;
  last: number;
}

/** An owner's next numbers. */
export interface TakenNumbers {
  ownerId: string;
  count: number;
}

/**
 * Takes numbers for matches, and makes others who write the owners' rows wait until the transaction ends.
 *
 * @param wanted at least one, each owner once.
 * @returns the last of each owner's numbers, by owner.
 */
export async function takeNumbers(
  transaction: Kysely<Database>,
  wanted: readonly TakenNumbers[],
): Promise<Map<string, number>> {
  // In one order, so that two who want several owners never wait for each other.
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

/** Makes others who write an owner's rows wait until the transaction ends. */
export async function lockMatchHead(transaction: Kysely<Database>, ownerId: string): Promise<void> {
  await takeNumbers(transaction, [{ ownerId, count: 0 }]);
}

/** The numbers of the owners' last matches, by owner; 0 for one that never had any. */
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
