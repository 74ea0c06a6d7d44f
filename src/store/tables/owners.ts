import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Those whom keys, quotas and rows belong to. */
export interface OwnersTable {
  id: string;
  /** Unique; the id where the operator gave none. */
  name: string;
  created_at: number;
}

/** The owner of that name or id. */
export function findOwner(db: Kysely<Database>, nameOrId: string): Promise<OwnersTable | undefined> {
  return db
    .selectFrom("owners")
    .selectAll()
    .where((is) => is.or([is("name", "=", nameOrId), is("id", "=", nameOrId)]))
    .executeTakeFirst();
}

/** Makes an owner, unless another call was first with the name. @returns the owner that has the name now. */
export async function insertOwner(db: Kysely<Database>, owner: OwnersTable): Promise<OwnersTable> {
  await db
    .insertInto("owners")
    .values(owner)
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  return db.selectFrom("owners").selectAll().where("name", "=", owner.name).executeTakeFirstOrThrow();
}

/** Lets other transactions that lock the owner wait until this one is over: for bounds of what an owner may have. */
export async function lockOwner(transaction: Kysely<Database>, id: string): Promise<void> {
  await transaction
    .updateTable("owners")
    .set((is) => ({ created_at: is.ref("created_at") }))
    .where("id", "=", id)
    .execute();
}
