import type { Connection } from "@lancedb/lancedb";

/** The names of all tables of a database. */
export async function tableNames(db: Connection): Promise<string[]> {
  const names: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await db.listTables({ pageToken, limit: 100 });
    names.push(...page.tables);
    pageToken = page.pageToken;
  } while (pageToken);
  return names;
}
