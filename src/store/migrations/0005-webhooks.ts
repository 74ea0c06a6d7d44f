import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Customers' endpoints, deliveries to them, and the attempts. */
export const webhooks: Migration = {
  name: "webhooks",
  async up(db) {
    await db.schema
      .createTable("webhooks")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("owner_id", "text", (column) => column.notNull().references("owners.id"))
      .addColumn("url", "text", (column) => column.notNull())
      .addColumn("event_types", "text", (column) => column.notNull())
      .addColumn("interest_ids", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("disabled_reason", "text")
      .addColumn("secret", "text", (column) => column.notNull())
      .addColumn("previous_secret", "text")
      .addColumn("previous_secret_until", "bigint")
      .addColumn("failing_since", "bigint")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("webhooks_owner").on("webhooks").columns(["owner_id", "created_at", "id"]).execute();
    // No foreign key to webhooks: a deleted webhook's rows are removed later, in steps.
    await db.schema
      .createTable("deliveries")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("webhook_id", "text", (column) => column.notNull())
      .addColumn("event_type", "text", (column) => column.notNull())
      .addColumn("payload", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("attempts", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("tries", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("tried_since", "bigint")
      .addColumn("next_attempt_at", "bigint")
      .addColumn("claim", "text")
      .addColumn("claimed_until", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("deliveries_due")
      .on("deliveries")
      .columns(["webhook_id", "next_attempt_at", "id"])
      .where(sql.ref("state"), "=", sql.lit("pending"))
      .execute();
    await db.schema
      .createIndex("deliveries_webhook")
      .on("deliveries")
      .columns(["webhook_id", "created_at", "id"])
      .execute();
    await db.schema.createIndex("deliveries_created").on("deliveries").columns(["created_at", "id"]).execute();
    await db.schema
      .createTable("delivery_attempts")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("delivery_id", "text", (column) => column.notNull())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("outcome", "text", (column) => column.notNull())
      .addColumn("status_code", "bigint")
      .addColumn("error", "text")
      .addColumn("duration_ms", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex("delivery_attempts_delivery")
      .on("delivery_attempts")
      .columns(["delivery_id", "at", "id"])
      .execute();
  },
};
