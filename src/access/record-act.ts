import type { Kysely } from "kysely";
import type { Database } from "../store/database.ts";
import { newId } from "../store/new-id.ts";
import { insertAct } from "../store/tables/audit-log.ts";
import type { AuditRecord } from "./audit.ts";

/** Writes an act into the audit log. @param db the transaction that the act is done in. @param now since 1970. */
export async function recordAct(db: Kysely<Database>, act: Omit<AuditRecord, "id" | "at">, now: number): Promise<void> {
  await insertAct(db, { ...act, id: newId("act", now), at: now, details: JSON.stringify(act.details) });
}
