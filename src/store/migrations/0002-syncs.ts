import type { Migration } from "./migration.ts";

/** The last sync of each source, and the last scheduled time that a replica claimed. */
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
