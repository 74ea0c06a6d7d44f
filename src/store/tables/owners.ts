import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Owners of keys, quotas and rows. */
export interface OwnersTable {
  id: string;
  /** Unique. The id if the operator gave no name. */
  name: string;
  created_at: number;
}

/** The owner with a name or id. */
export function findOwner(db: Kysely<Database>, nameOrId: string): Promise<OwnersTable | undefined> {
  return db
    .selectFrom("owners")
    .selectAll()
    .where((is) => is.or([is("name", "=", nameOrId), is("id", "=", nameOrId)]))
    .executeTakeFirst();
}

/** Creates an owner, unless one has the name already. @returns the owner with the name. */
export async function insertOwner(db: Kysely<Database>, owner: OwnersTable): Promise<OwnersTable> {
  await db
    .insertInto("owners")
    .values(owner)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return db.selectFrom("owners").selectAll().where("name", "=", owner.name).executeTakeFirstOrThrow();
}

/**
 * Locks an owner until the transaction ends, so that concurrent creates cannot exceed the owner's limits.
 *
 * @throws Error if the owner does not exist: there is no row to lock, and the caller would write without a lock.
 */
export async function lockOwner(transaction: Kysely<Database>, id: string): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("owners")
    .set((is) => ({ created_at: is.ref("created_at") }))
    .where("id", "=", id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) {
    throw new Error(`There is no owner ${JSON.stringify(id)} to lock`);
  }
}
