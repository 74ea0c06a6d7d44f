import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Endpoints of customers. */
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
  /** The secret before, encrypted, which signs as well for a while. */
  previous_secret: string | null;
  previous_secret_until: number | null;
  /** The first attempt that failed since the last one that did not. */
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
