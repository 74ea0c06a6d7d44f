import type { Table } from "@lancedb/lancedb";
import { VERSIONS_KEPT_MS } from "./due-care.ts";

/**
 * The time from which on versions of a table are to be kept: that of the one that was the newest ten minutes ago, which
 * may be read until now. LanceDB goes by when a version was written, and would drop one that was the newest for hours as
 * soon as the next one is written.
 */
export async function keptVersionsFrom(table: Table): Promise<Date> {
  const until = Date.now() - VERSIONS_KEPT_MS;
  const times = (await table.listVersions()).map(({ timestamp }) => timestamp.getTime());
  return new Date(Math.max(0, ...times.filter((time) => time <= until)));
}
