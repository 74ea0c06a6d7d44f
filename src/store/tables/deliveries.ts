import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "../database.ts";
import { onPage, type PageRequest } from "../page.ts";
import type { Store } from "../store.ts";

/** Deliveries of events to webhooks. */
export interface DeliveriesTable {
  /** Sent to receivers as `webhook-id`. */
  id: string;
  webhook_id: string;
  event_type: string;
  /** JSON: the body, the same for every attempt. */
  payload: string;
  state: "pending" | "delivered" | "failed";
  /** Number of attempts. */
  attempts: Generated<number>;
  /** Number of these since the schedule last began. */
  tries: Generated<number>;
  /** When the first of these attempts began. */
  tried_since: number | null;
  /** Null unless it is pending. */
  next_attempt_at: number | null;
  /** Names the attempt in progress. An attempt with another name must not settle the delivery. */
  claim: string | null;
  /** When an unsettled attempt counts as never made. */
  claimed_until: Generated<number>;
  created_at: number;
}

export type DeliveryRow = Selectable<DeliveriesTable>;

/** A new delivery, due at once. */
export type NewDelivery = Pick<DeliveryRow, "id" | "webhook_id" | "event_type" | "payload" | "created_at"> &
  // An attempt that begins with the row.
  Partial<Pick<DeliveryRow, "claim" | "claimed_until" | "tried_since">>;

/** The condition of the index on unfinished deliveries. */
const isPending = sql.lit("pending" as const);

/** Databases limit the parameters of a statement: SQLite to 32,766. */
const ROWS_AT_ONCE = 1_000;

export async function insertDeliveries(db: Kysely<Database>, deliveries: readonly NewDelivery[]): Promise<void> {
  for (let i = 0; i < deliveries.length; i += ROWS_AT_ONCE) {
    const rows = deliveries
      .slice(i, i + ROWS_AT_ONCE)
      .map((delivery) => ({ ...delivery, state: "pending" as const, next_attempt_at: delivery.created_at }));
    await db.insertInto("deliveries").values(rows).execute();
  }
}

/** A delivery of a webhook. */
export function findDelivery(
  db: Kysely<Database>,
  { id, webhookId }: { id: string; webhookId?: string },
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom("deliveries")
    .selectAll()
    .where("id", "=", id)
    .$if(webhookId !== undefined, (query) => query.where("webhook_id", "=", webhookId as string))
    .executeTakeFirst();
}

/** Which deliveries a list holds. */
export interface DeliveryFilter {
  webhookId?: string;
  /** The webhooks of this owner, by name or id. */
  owner?: string;
  state?: string;
  eventType?: string;
}

/** Deliveries of existing webhooks, newest first. */
export function listDeliveries(
  db: Kysely<Database>,
  page: PageRequest,
  { webhookId, owner, state, eventType }: DeliveryFilter,
): Promise<Array<DeliveryRow & { owner_name: string; url: string }>> {
  return db
    .selectFrom("deliveries")
    .innerJoin("webhooks", "webhooks.id", "deliveries.webhook_id")
    .innerJoin("owners", "owners.id", "webhooks.owner_id")
    .selectAll("deliveries")
    .select(["owners.name as owner_name", "webhooks.url"])
    .$if(webhookId !== undefined, (query) => query.where("deliveries.webhook_id", "=", webhookId as string))
    .$if(owner !== undefined, (query) =>
      query.where((is) => is.or([is("owners.name", "=", owner as string), is("owners.id", "=", owner as string)])),
    )
    .$if(state !== undefined, (query) => query.where("deliveries.state", "=", state as DeliveryRow["state"]))
    .$if(eventType !== undefined, (query) => query.where("deliveries.event_type", "=", eventType as string))
    .$call((query) => onPage(query, page, ["deliveries.created_at", "deliveries.id"]))
    .execute();
}

/** A claim of due deliveries. */
export interface Claim {
  webhookId: string;
  /** Most deliveries. */
  most: number;
  /** Names the attempts. */
  claim: string;
  now: number;
  until: number;
}

/**
 * Claims deliveries that are due for an attempt, oldest first, except those of disabled webhooks. No two callers get
 * the same one.
 */
export function claimDueDeliveries(
  { db, dialect }: Pick<Store, "db" | "dialect">,
  { webhookId, most, claim, now, until }: Claim,
): Promise<DeliveryRow[]> {
  return db
    .with("due", (cte) =>
      cte
        .selectFrom("deliveries")
        .select("id")
        .where("webhook_id", "=", webhookId)
        .where("state", "=", isPending)
        .where("next_attempt_at", "<=", now)
        .where("claimed_until", "<=", now)
        .orderBy("next_attempt_at")
        .orderBy("id")
        .limit(most)
        .$if(dialect === "postgres", (query) => query.forUpdate().skipLocked()),
    )
    .updateTable("deliveries")
    .set((is) => ({ claim, claimed_until: until, tried_since: is.fn.coalesce("tried_since", is.val(now)) }))
    .where("id", "in", (is) => is.selectFrom("due").select("due.id"))
    .where((is) =>
      is.exists(is.selectFrom("webhooks").select("id").where("id", "=", webhookId).where("state", "=", "enabled")),
    )
    .returningAll()
    .execute();
}

/** Releases claims, so that other replicas need not wait until they expire. */
export async function releaseDelivery(
  db: Kysely<Database>,
  { id, claim }: { id: string; claim: string },
): Promise<void> {
  await db
    .updateTable("deliveries")
    .set({ claim: null, claimed_until: 0 })
    .where("id", "=", id)
    .where("claim", "=", claim)
    .execute();
}

/** Counts an attempt whose claim was lost meanwhile. @returns false if the delivery no longer exists. */
export async function countAttempt(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set((is) => ({ attempts: is("attempts", "+", 1) }))
    .where("id", "=", id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The state of a delivery after an attempt. */
export interface Settlement {
  id: string;
  /** The attempt's. */
  claim: string;
  state: DeliveryRow["state"];
  nextAttemptAt?: number;
}

/** Ends a claimed attempt, and counts it. @returns false if the claim was lost meanwhile. */
export async function settleDelivery(
  db: Kysely<Database>,
  { id, claim, state, nextAttemptAt }: Settlement,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("deliveries")
    .set((is) => ({
      state,
      next_attempt_at: nextAttemptAt ?? null,
      attempts: is("attempts", "+", 1),
      tries: is("tries", "+", 1),
      claim: null,
      claimed_until: 0,
    }))
    .where("id", "=", id)
    .where("claim", "=", claim)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The values that restart a delivery's schedule. An attempt in progress can no longer settle it. */
const restarted = (now: number) => ({
  state: "pending" as const,
  tries: 0,
  tried_since: null,
  next_attempt_at: now,
  claim: null,
  claimed_until: 0,
});

/** Schedules a delivery again, whatever its state. @returns the updated delivery. */
export function restartDelivery(db: Kysely<Database>, id: string, now: number): Promise<DeliveryRow | undefined> {
  return db.updateTable("deliveries").set(restarted(now)).where("id", "=", id).returningAll().executeTakeFirst();
}

/** Makes all pending deliveries of a webhook due at once. */
export async function restartPending(db: Kysely<Database>, webhookId: string, now: number): Promise<void> {
  await db
    .updateTable("deliveries")
    .set(restarted(now))
    .where("webhook_id", "=", webhookId)
    .where("state", "=", isPending)
    .execute();
}

/** Deletes deliveries older than a time with their attempts, some at a time. @returns whether there may be more. */
export async function pruneDeliveries(db: Kysely<Database>, before: number, rows: number): Promise<boolean> {
  const old = db
    .selectFrom("deliveries")
    .select("id")
    .where("created_at", "<", before)
    .orderBy("created_at")
    .orderBy("id")
    .limit(rows);
  return removeDeliveries(db, await old.execute(), rows);
}

/** Deletes deliveries of deleted webhooks, some at a time. @returns whether there may be more. */
export async function pruneOrphans(db: Kysely<Database>, rows: number): Promise<boolean> {
  // One webhook after another, as listDueWebhooks does.
  const { rows: found } = await sql<{ id: string }>`
    with recursive known(id) as (
      select min(webhook_id) from deliveries
      union all
      select (select min(webhook_id) from deliveries where webhook_id > known.id) from known where known.id is not null
    )
    select deliveries.id from known inner join deliveries on deliveries.webhook_id = known.id
    where not exists (select 1 from webhooks where webhooks.id = known.id)
    limit ${rows}`.execute(db);
  return removeDeliveries(db, found, rows);
}

async function removeDeliveries(
  db: Kysely<Database>,
  found: ReadonlyArray<{ id: string }>,
  rows: number,
): Promise<boolean> {
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) {
    return false;
  }
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom("deliveries").where("id", "in", ids).execute();
    await transaction.deleteFrom("delivery_attempts").where("delivery_id", "in", ids).execute();
  });
  return ids.length >= rows;
}

/** Pending deliveries. */
export interface Backlog {
  /** Number of unfinished deliveries of enabled webhooks. */
  pending: number;
  /** When the oldest of them became due, in milliseconds since 1970. Undefined if there are none. */
  dueSince: number | undefined;
}

/** The pending deliveries of enabled webhooks. */
export async function readBacklog(db: Kysely<Database>, now: number): Promise<Backlog> {
  const { pending, due } = await db
    .selectFrom("deliveries")
    .innerJoin("webhooks", "webhooks.id", "deliveries.webhook_id")
    .select((is) => [
      is.fn.countAll().as("pending"),
      is.fn.min("deliveries.next_attempt_at").filterWhere("deliveries.next_attempt_at", "<=", now).as("due"),
    ])
    .where("deliveries.state", "=", isPending)
    .where("webhooks.state", "=", "enabled")
    .executeTakeFirstOrThrow();
  return { pending: Number(pending), dueSince: due === null ? undefined : Number(due) };
}

/** Attempts to deliver events. Rows are only added, never changed. */
export interface DeliveryAttemptsTable {
  id: string;
  delivery_id: string;
  at: number;
  outcome: string;
  /** The status of the answer, if there was one. */
  status_code: number | null;
  /** The fault, in words. */
  error: string | null;
  duration_ms: number;
}

export async function insertAttempt(db: Kysely<Database>, attempt: DeliveryAttemptsTable): Promise<void> {
  await db.insertInto("delivery_attempts").values(attempt).execute();
}

/** The attempts of some deliveries, latest first, with a limit for each delivery. */
export async function listAttempts(
  db: Kysely<Database>,
  deliveryIds: readonly string[],
  mostOfEach: number,
): Promise<DeliveryAttemptsTable[]> {
  if (deliveryIds.length === 0) {
    return [];
  }
  return db
    .selectFrom((is) =>
      is
        .selectFrom("delivery_attempts")
        .selectAll()
        .select((of) =>
          of.fn
            .agg<number>("row_number")
            .over((over) => over.partitionBy("delivery_id").orderBy("at", "desc").orderBy("id", "desc"))
            .as("place"),
        )
        .where("delivery_id", "in", deliveryIds)
        .as("ranked"),
    )
    .select(["id", "delivery_id", "at", "outcome", "status_code", "error", "duration_ms"])
    .where("place", "<=", sql.lit(mostOfEach))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .execute();
}
