import type { Migration } from "./migration.ts";

/** Leases for work that one replica does at a time, such as writing the inventory. */
export const leases: Migration = {
  name: "leases",
  async up(db) {
    await db.schema
      .createTable("leases")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("holder", "text", (column) => column.notNull())
      .addColumn("term", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
