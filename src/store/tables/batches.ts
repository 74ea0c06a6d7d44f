import { type Expression, type Kysely, type SqlBool, sql } from "kysely";
import type { Database } from "../database.ts";
import { databaseNow } from "../database-now.ts";
import { onPage } from "../on-page.ts";
import type { PageRequest } from "../page.ts";
import type { Store } from "../store.ts";

/** Needs that are answered in the background: how far each batch is, and who works on it. */
export interface BatchesTable {
  id: string;
  owner_id: string;
  name: string | null;
  /** queued, running, succeeded, failed or cancelled. */
  state: string;
  /** How many needs it has. */
  total: number;
  /** How many of them are answered: always those at the front. */
  completed: number;
  /** How many of these have an error in place of an answer. */
  failed: number;
  /** Why it failed as a whole. */
  error: string | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  /** Until when it and its answers are kept. */
  results_until: number | null;
  /** Counts up whenever somebody takes it: answers of an earlier term are not stored. */
  term: number;
  /** Until when it is somebody's, by the database's clock; whoever died has left it then. */
  held_until: number;
}

/** A batch with its owner's name. */
export interface OwnedBatch extends BatchesTable {
  owner_name: string;
}

/** How a batch ends. */
export interface BatchEnd {
  state: "succeeded" | "failed" | "cancelled";
  error?: string;
  endedAt: number;
  resultsUntil: number;
}

export async function insertBatch(
  db: Kysely<Database>,
  batch: Pick<BatchesTable, "id" | "owner_id" | "name" | "total" | "created_at">,
): Promise<void> {
  await db
    .insertInto("batches")
    .values({ ...batch, state: "queued", completed: 0, failed: 0, term: 0, held_until: 0 })
    .execute();
}

export function findBatch(
  db: Kysely<Database>,
  id: string,
  ownerId: string | undefined,
): Promise<BatchesTable | undefined> {
  return db
    .selectFrom("batches")
    .selectAll()
    .where("id", "=", id)
    .$if(ownerId !== undefined, (query) => query.where("owner_id", "=", ownerId as string))
    .executeTakeFirst();
}

/** Batches from the newest to the oldest. */
export function listBatches(
  db: Kysely<Database>,
  page: PageRequest,
  { ownerId, owner, state }: { ownerId?: string; owner?: string; state?: string },
): Promise<OwnedBatch[]> {
  return db
    .selectFrom("batches")
    .innerJoin("owners", "owners.id", "batches.owner_id")
    .selectAll("batches")
    .select("owners.name as owner_name")
    .$if(ownerId !== undefined, (query) => query.where("batches.owner_id", "=", ownerId as string))
    .$if(owner !== undefined, (query) =>
      query.where((is) => is.or([is("owners.name", "=", owner as string), is("owners.id", "=", owner as string)])),
    )
    .$if(state !== undefined, (query) => query.where("batches.state", "=", state as string))
    .$call((query) => onPage(query, page, ["batches.created_at", "batches.id"]))
    .execute();
}

/** How many batches have not ended: of an owner, or of all. */
export async function countUnfinished(db: Kysely<Database>, ownerId?: string): Promise<number> {
  const { count } = await db
    .selectFrom("batches")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("ended_at", "is", null)
    .$if(ownerId !== undefined, (query) => query.where("owner_id", "=", ownerId as string))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Takes the oldest batch that nobody works on, of the first owner behind another one who has such a batch and a key of
 * a tier that holds.
 *
 * @param now for the keys, in milliseconds since 1970.
 * @returns the batch in its new term; undefined where there is none.
 */
export async function takeBatch(
  { db, dialect }: Pick<Store, "db" | "dialect">,
  { behindOwner, tier, ttlMs, now }: { behindOwner: string; tier: string; ttlMs: number; now: number },
): Promise<BatchesTable | undefined> {
  const clock = databaseNow(dialect);
  const found = await db
    .selectFrom("batches")
    .select("id")
    .where("ended_at", "is", null)
    .where("held_until", "<=", clock)
    .where("owner_id", ">", behindOwner)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("api_keys")
          .select("api_keys.id")
          .whereRef("api_keys.owner_id", "=", "batches.owner_id")
          .where("api_keys.tier", "=", tier)
          .where("api_keys.revoked_at", "is", null)
          .where((is) => is.or([is("api_keys.expires_at", "is", null), is("api_keys.expires_at", ">", now)])),
      ),
    )
    .orderBy("owner_id")
    .orderBy("created_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (found === undefined) return undefined;
  // Another replica may have been faster.
  return db
    .updateTable("batches")
    .set((is) => ({
      term: is("term", "+", 1),
      held_until: sql<number>`${clock} + ${sql.lit(ttlMs)}`,
      state: "running",
      started_at: is.fn.coalesce("started_at", is.val(now)),
    }))
    .where("id", "=", found.id)
    .where("ended_at", "is", null)
    .where("held_until", "<=", clock)
    .returningAll()
    .executeTakeFirst();
}

/** Holds a batch for longer. @returns false when it has ended or somebody else took it. */
export async function holdBatch(
  { db, dialect }: Pick<Store, "db" | "dialect">,
  { id, term }: Pick<BatchesTable, "id" | "term">,
  ttlMs: number,
): Promise<boolean> {
  const held = await db
    .updateTable("batches")
    .set({ held_until: sql<number>`${databaseNow(dialect)} + ${sql.lit(ttlMs)}` })
    .where(isOurs(id, term))
    .returning("id")
    .executeTakeFirst();
  return held !== undefined;
}

/** Gives a batch back, so that others need not wait until it is free by itself. */
export async function releaseBatch(
  db: Kysely<Database>,
  { id, term }: Pick<BatchesTable, "id" | "term">,
): Promise<void> {
  await db.updateTable("batches").set({ held_until: 0 }).where(isOurs(id, term)).execute();
}

/**
 * Counts needs as answered, of a batch that is held in a term. Their answers belong into the same transaction.
 *
 * @returns the batch as it is then; undefined, and nothing is counted, when it has ended or somebody else took it.
 */
export function advanceBatch(
  db: Kysely<Database>,
  { id, term, completed }: Pick<BatchesTable, "id" | "term" | "completed">,
  by: { completed: number; failed: number },
): Promise<BatchesTable | undefined> {
  return db
    .updateTable("batches")
    .set((is) => ({ completed: is("completed", "+", by.completed), failed: is("failed", "+", by.failed) }))
    .where(isOurs(id, term))
    .where("completed", "=", completed)
    .returningAll()
    .executeTakeFirst();
}

/** Ends a batch unless it has ended. @returns it as it ended; undefined when it had ended before. */
export function endBatch(
  db: Kysely<Database>,
  id: string,
  { state, error, endedAt, resultsUntil }: BatchEnd,
): Promise<BatchesTable | undefined> {
  return db
    .updateTable("batches")
    .set({ state, error: error ?? null, ended_at: endedAt, results_until: resultsUntil, held_until: 0 })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .returningAll()
    .executeTakeFirst();
}

/** Ids of batches that are kept no longer. */
export async function expiredBatches(db: Kysely<Database>, now: number, size: number): Promise<string[]> {
  const rows = await db.selectFrom("batches").select("id").where("results_until", "<=", now).limit(size).execute();
  return rows.map(({ id }) => id);
}

export async function deleteBatch(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom("batches").where("id", "=", id).execute();
}

/** Whether a batch is held in a term and has not ended. */
function isOurs(id: string, term: number): Expression<SqlBool> {
  return sql<SqlBool>`id = ${id} and term = ${term} and ended_at is null`;
}
