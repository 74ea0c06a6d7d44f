import type { Kysely } from "kysely";
import type { Database } from "../database.ts";
import type { PageRequest } from "../page.ts";

/** Acts of operators. Rows are added and never changed. */
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

/** Acts from the newest to the oldest. */
export function listActs(db: Kysely<Database>, { size, after }: PageRequest): Promise<AuditLogTable[]> {
  return db
    .selectFrom("audit_log")
    .selectAll()
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("at", "id"), "<", tuple(after?.at as number, after?.id as string)),
      ),
    )
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(size)
    .execute();
}
