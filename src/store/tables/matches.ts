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
  if (matches.length === 0) return new Set();
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
