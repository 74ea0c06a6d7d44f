import type { Migration } from "./migration.ts";

/** How the syncs of each source went, and which of the scheduled ones a replica took. */
export const syncs: Migration = {
  name: "syncs",
  async up(db) {
    await db.schema
      .createTable("syncs")
      .addColumn("source", "text", (column) => column.primaryKey())
      .addColumn("taken_at", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("ended_at", "bigint")
      .addColumn("succeeded_at", "bigint")
      .addColumn("report", "text")
      .execute();
  },
};
