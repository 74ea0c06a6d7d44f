import { sql } from "kysely";
import { databaseNow } from "../database-now.ts";
import type { Store } from "../store.ts";

/** Who may do what only one does at a time. Times are the database's, which is one clock for all. */
export interface LeasesTable {
  name: string;
  /** Tells operators which process it is. */
  holder: string;
  /** Counts up whenever somebody takes it: what was done in an earlier term is not done in this one. */
  term: number;
  expires_at: number;
}

/**
 * Takes a lease that nobody holds or whose holder did not renew it in time.
 *
 * @returns its term; undefined while somebody holds it.
 */
export async function takeLease(
  { db, dialect }: Store,
  { name, holder, ttlMs }: { name: string; holder: string; ttlMs: number },
): Promise<number | undefined> {
  const now = databaseNow(dialect);
  const taken = await db
    .insertInto("leases")
    .values({ name, holder, term: 1, expires_at: sql`${now} + ${sql.lit(ttlMs)}` })
    .onConflict((conflict) =>
      conflict
        .column("name")
        .doUpdateSet({ holder, term: sql`leases.term + 1`, expires_at: sql`${now} + ${sql.lit(ttlMs)}` })
        .where("leases.expires_at", "<=", now),
    )
    .returning("term")
    .executeTakeFirst();
  return taken === undefined ? undefined : Number(taken.term);
}

/** Holds a lease for longer. @returns false when it expired or somebody else took it. */
export async function renewLease(
  { db, dialect }: Store,
  { name, term, ttlMs }: { name: string; term: number; ttlMs: number },
): Promise<boolean> {
  const now = databaseNow(dialect);
  const renewed = await db
    .updateTable("leases")
    .set({ expires_at: sql`${now} + ${sql.lit(ttlMs)}` })
    .where("name", "=", name)
    .where("term", "=", term)
    .where("expires_at", ">", now)
    .returning("term")
    .executeTakeFirst();
  return renewed !== undefined;
}

/** Gives a lease back, so that others need not wait until it expires. */
export async function releaseLease({ db }: Store, { name, term }: { name: string; term: number }): Promise<void> {
  // The row stays, so that terms go on counting.
  await db.updateTable("leases").set({ expires_at: 0 }).where("name", "=", name).where("term", "=", term).execute();
}
