import type { Migration } from "./migration.ts";

/** Owners, keys, quotas, settings and the audit log. */
export const access: Migration = {
  name: "access",
  async up(db) {
    await db.schema
      .createTable("owners")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull().unique())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("api_keys")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("owner_id", "text", (column) => column.notNull().references("owners.id"))
      .addColumn("tier", "text", (column) => column.notNull())
      .addColumn("name", "text")
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("revoked_at", "bigint")
      .addColumn("last_used_at", "bigint")
      .execute();
    await db.schema.createIndex("api_keys_owner").on("api_keys").column("owner_id").execute();
    await db.schema.createIndex("api_keys_created").on("api_keys").columns(["created_at", "id"]).execute();
    await db.schema
      .createTable("quota_use")
      .addColumn("subject", "text", (column) => column.notNull())
      .addColumn("day", "bigint", (column) => column.notNull())
      .addColumn("used", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("quota_use_key", ["subject", "day"])
      .execute();
    await db.schema.createIndex("quota_use_day").on("quota_use").column("day").execute();
    await db.schema
      .createTable("settings")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("value", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("audit_log")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("actor", "text", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("target", "text", (column) => column.notNull())
      .addColumn("result", "text", (column) => column.notNull())
      .addColumn("details", "text", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("audit_log_at").on("audit_log").columns(["at", "id"]).execute();
  },
};
