import { type RawBuilder, sql } from "kysely";
import type { Store } from "./store.ts";

/** The database's time in milliseconds since 1970: one clock for all processes. */
export function databaseNow(dialect: Store["dialect"]): RawBuilder<number> {
  return dialect === "postgres"
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}
