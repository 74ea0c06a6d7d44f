import { type Kysely, sql } from "kysely";
import type { Database } from "../database.ts";
import { onPage, type PageRequest } from "../page.ts";

/** Webhooks of owners. */
export interface WebhooksTable {
  id: string;
  owner_id: string;
  url: string;
  /** JSON: an array of event types; empty for all. */
  event_types: string;
  /** JSON: an array of ids of interests; empty for all. */
  interest_ids: string;
  state: "enabled" | "disabled";
  /** Why the service disabled it. */
  disabled_reason: string | null;
  /** Encrypted. */
  secret: string;
  /** The previous secret, encrypted, which also signs for a while. */
  previous_secret: string | null;
  previous_secret_until: number | null;
  /** When the first failed attempt since the last success began. Null if there is none. */
  failing_since: number | null;
  created_at: number;
  updated_at: number;
}

/** The enabled webhooks of some owners. */
export function listEnabledWebhooks(
  db: Kysely<Database>,
  ownerIds: readonly string[],
): Promise<Pick<WebhooksTable, "id" | "owner_id" | "event_types" | "interest_ids">[]> {
  return db
    .selectFrom("webhooks")
    .select(["id", "owner_id", "event_types", "interest_ids"])
    .where("owner_id", "in", ownerIds)
    .where("state", "=", "enabled")
    .execute();
}

export async function insertWebhook(db: Kysely<Database>, webhook: WebhooksTable): Promise<void> {
  await db.insertInto("webhooks").values(webhook).execute();
}

/** A webhook of an owner. */
export function findWebhook(db: Kysely<Database>, ownerId: string, id: string): Promise<WebhooksTable | undefined> {
  return db.selectFrom("webhooks").selectAll().where("id", "=", id).where("owner_id", "=", ownerId).executeTakeFirst();
}

/** Webhooks of an owner, newest first. */
export function listWebhooks(db: Kysely<Database>, page: PageRequest, ownerId: string): Promise<WebhooksTable[]> {
  return db
    .selectFrom("webhooks")
    .selectAll()
    .where("owner_id", "=", ownerId)
    .$call((query) => onPage(query, page, ["created_at", "id"]))
    .execute();
}

export async function countWebhooks(db: Kysely<Database>, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom("webhooks")
    .select((is) => is.fn.countAll().as("count"))
    .where("owner_id", "=", ownerId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether any webhook exists. */
export async function hasWebhooks(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom("webhooks").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Changes a webhook of an owner. @returns the updated webhook. Undefined if there is none. */
export function updateWebhook(
  db: Kysely<Database>,
  ownerId: string,
  id: string,
  change: Partial<WebhooksTable>,
): Promise<WebhooksTable | undefined> {
  return db
    .updateTable("webhooks")
    .set(change)
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a webhook of an owner. pruneOrphans deletes its deliveries. @returns whether there was one. */
export async function deleteWebhook(db: Kysely<Database>, ownerId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("webhooks")
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The ids of all webhooks. */
export async function listWebhookIds(db: Kysely<Database>): Promise<string[]> {
  return (await db.selectFrom("webhooks").select("id").execute()).map(({ id }) => id);
}

/** Replaces all secrets of a webhook with a new one, and disables it. */
export async function replaceSecret(
  db: Kysely<Database>,
  id: string,
  { secret, reason, now }: { secret: string; reason: string; now: number },
): Promise<void> {
  await db
    .updateTable("webhooks")
    .set({ secret, previous_secret: null, previous_secret_until: null })
    .set({ state: "disabled", disabled_reason: reason, updated_at: now })
    .where("id", "=", id)
    .execute();
}

/** Records whether a delivery to a URL succeeded. Does nothing if the webhook's URL has changed. */
export async function noteHealth(
  db: Kysely<Database>,
  { id, url }: Pick<WebhooksTable, "id" | "url">,
  health: { failedAt: number } | "delivered",
): Promise<void> {
  const update = db.updateTable("webhooks").where("id", "=", id).where("url", "=", url);
  // Writes only changes, because every delivery gets here.
  await (health === "delivered"
    ? update.set({ failing_since: null }).where("failing_since", "is not", null)
    : update.set({ failing_since: health.failedAt }).where("failing_since", "is", null)
  ).execute();
}

/**
 * Disables a webhook for a reason, unless it is disabled already or its URL has changed.
 *
 * @param failingSince disables it only if nothing was delivered since then.
 * @returns whether it was disabled.
 */
export async function disableWebhook(
  db: Kysely<Database>,
  { id, url }: Pick<WebhooksTable, "id" | "url">,
  { reason, at, failingSince }: { reason: string; at: number; failingSince?: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("webhooks")
    .set({ state: "disabled", disabled_reason: reason, updated_at: at })
    .where("id", "=", id)
    .where("url", "=", url)
    .where("state", "=", "enabled")
    .$if(failingSince !== undefined, (query) => query.where("failing_since", "<=", failingSince as number))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function isWebhookDisabled(db: Kysely<Database>, id: string): Promise<boolean> {
  const row = await db.selectFrom("webhooks").select("state").where("id", "=", id).executeTakeFirst();
  return row?.state === "disabled";
}

/** Enabled webhooks with due deliveries whose owners have a key of the tier. */
export async function listDueWebhooks(
  db: Kysely<Database>,
  { tier, now }: { tier: string; now: number },
): Promise<WebhooksTable[]> {
  // Finds one webhook with pending deliveries after another, so the time grows with their number only, and not with the
  // deliveries of each or with all webhooks.
  const { rows } = await sql<WebhooksTable>`
    with recursive waiting(id) as (
      select min(webhook_id) from deliveries where state = 'pending'
      union all
      select (select min(webhook_id) from deliveries where state = 'pending' and webhook_id > waiting.id)
      from waiting where waiting.id is not null
    )
    select webhooks.* from waiting inner join webhooks on webhooks.id = waiting.id
    where webhooks.state = 'enabled'
      and exists (
        select 1 from api_keys
        where api_keys.owner_id = webhooks.owner_id and api_keys.tier = ${tier} and api_keys.revoked_at is null
          and (api_keys.expires_at is null or api_keys.expires_at > ${now})
      )
      and exists (
        select 1 from deliveries
        where deliveries.webhook_id = webhooks.id and deliveries.state = 'pending'
          and deliveries.next_attempt_at <= ${now} and deliveries.claimed_until <= ${now}
      )
    order by webhooks.id`.execute(db);
  return rows;
}
