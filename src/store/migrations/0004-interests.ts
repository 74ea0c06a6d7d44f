import type { Migration } from "./migration.ts";

/** Interests and their matches, the position of matching, and request ids of calls that create a resource. */
export const interests: Migration = {
  name: "interests",
  async up(db) {
    await db.schema
      .createTable("requests")
      .addColumn("owner_id", "text", (column) => column.notNull())
      .addColumn("method", "text", (column) => column.notNull())
      .addColumn("request_id", "text", (column) => column.notNull())
      .addColumn("resource_id", "text", (column) => column.notNull())
      .addColumn("digest", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("requests_key", ["owner_id", "method", "request_id"])
      .execute();
    await db.schema.createIndex("requests_created").on("requests").column("created_at").execute();
    await db.schema
      .createTable("interests")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("owner_id", "text", (column) => column.notNull().references("owners.id"))
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("need", "text", (column) => column.notNull())
      .addColumn("min_score", "double precision", (column) => column.notNull())
      .addColumn("since_change", "bigint", (column) => column.notNull())
      .addColumn("revision", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    await db.schema.createIndex("interests_owner").on("interests").columns(["owner_id", "created_at", "id"]).execute();
    await db.schema
      .createTable("match_heads")
      .addColumn("owner_id", "text", (column) => column.primaryKey().references("owners.id"))
      .addColumn("last", "bigint", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("matches")
      .addColumn("id", "text", (column) => column.notNull().unique())
      .addColumn("owner_id", "text", (column) => column.notNull())
      .addColumn("number", "bigint", (column) => column.notNull())
      .addColumn("interest_id", "text", (column) => column.notNull().references("interests.id"))
      .addColumn("model_key", "text", (column) => column.notNull())
      .addColumn("cause", "text", (column) => column.notNull())
      .addColumn("score", "double precision", (column) => column.notNull())
      .addColumn("model", "text", (column) => column.notNull())
      .addColumn("reasons", "text", (column) => column.notNull())
      .addColumn("tradeoffs", "text", (column) => column.notNull())
      .addColumn("matched_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("matches_key", ["owner_id", "number"])
      .addUniqueConstraint("matches_once", ["interest_id", "model_key"])
      .execute();
    await db.schema.createIndex("matches_matched").on("matches").column("matched_at").execute();
    await db.schema
      .createTable("matching")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("position", "text", (column) => column.notNull())
      .execute();
    await db.schema
      .createTable("matching_pauses")
      .addColumn("owner_id", "text", (column) => column.primaryKey().references("owners.id"))
      .addColumn("position", "text", (column) => column.notNull())
      .addColumn("paused_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
