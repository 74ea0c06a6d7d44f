import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Batches, their needs (several in a row) and their answers. */
export const batches: Migration = {
  name: "batches",
  async up(db) {
    await db.schema
      .createTable("batches")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("owner_id", "text", (column) => column.notNull().references("owners.id"))
      .addColumn("name", "text")
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("total", "bigint", (column) => column.notNull())
      .addColumn("completed", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("failed", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("error", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("started_at", "bigint")
      .addColumn("ended_at", "bigint")
      .addColumn("results_until", "bigint")
      .addColumn("term", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("held_until", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex("batches_owner").on("batches").columns(["owner_id", "created_at", "id"]).execute();
    await db.schema.createIndex("batches_created").on("batches").columns(["created_at", "id"]).execute();
    // Unfinished batches are searched for constantly, among many that have ended.
    await db.schema
      .createIndex("batches_unfinished")
      .on("batches")
      .columns(["owner_id", "created_at", "id"])
      .where(sql.ref("ended_at"), "is", null)
      .execute();
    await db.schema.createIndex("batches_until").on("batches").column("results_until").execute();
    await db.schema
      .createTable("batch_needs")
      .addColumn("batch_id", "text", (column) => column.notNull())
      .addColumn("first_place", "bigint", (column) => column.notNull())
      .addColumn("needs", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("batch_needs_key", ["batch_id", "first_place"])
      .execute();
    await db.schema
      .createTable("batch_results")
      .addColumn("batch_id", "text", (column) => column.notNull())
      .addColumn("place", "bigint", (column) => column.notNull())
      .addColumn("answer", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("batch_results_key", ["batch_id", "place"])
      .execute();
  },
};
