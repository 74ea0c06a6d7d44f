import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import { onPage, type PageRequest } from "../page.ts";

/** Acts of operators. Rows are only added, never changed. */
export interface AuditLogTable {
  id: string;
  at: number;
  actor: string;
  action: string;
  target: string;
  result: string;
  /** JSON: an object of texts. */
  details: string;
}

export async function insertAct(db: Kysely<Database>, act: AuditLogTable): Promise<void> {
  await db.insertInto("audit_log").values(act).execute();
}

/** Acts, newest first. */
export function listActs(db: Kysely<Database>, page: PageRequest): Promise<AuditLogTable[]> {
  return db
    .selectFrom("audit_log")
    .selectAll()
    .$call((query) => onPage(query, page, ["at", "id"]))
    .execute();
}
