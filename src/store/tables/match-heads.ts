import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

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
export async function lockOwner(transaction: Kysely<Database>, ownerId: string): Promise<void> {
  await takeNumbers(transaction, [{ ownerId, count: 0 }]);
}

/** The numbers of the owners' last matches, by owner; 0 for one that never had any. */
export async function readHeads(db: Kysely<Database>, owners: readonly string[]): Promise<Map<string, number>> {
  const heads = new Map(owners.map((owner) => [owner, 0]));
  if (owners.length === 0) return heads;
  const rows = await db.selectFrom("match_heads").selectAll().where("owner_id", "in", owners).execute();
  for (const { owner_id, last } of rows) heads.set(owner_id, last);
  return heads;
}
