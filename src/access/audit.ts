import type { Kysely } from "kysely";
import { type Database, newId, type Page, type PageRequest, readPage, type Store } from "../store/index.ts";
import { insertAct, listActs } from "../store/tables/index.ts";

/** One action of an operator. */
export interface AuditRecord {
  /** Sorts by time. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** The operator: `cli:` and the name of the machine's user, or `admin-token`. */
  actor: string;
  /** Such as `keys.create`. */
  action: string;
  /** The changed thing, such as a key's id. */
  target: string;
  /** `done`, `unchanged`, `not found`, or for a sync its outcome or `failed`. */
  result: string;
  /** More facts, such as the tier of a new key. Never a secret. */
  details: Readonly<Record<string, string>>;
}

/** The actions of operators. */
export interface Audit {
  list(page: PageRequest): Promise<Page<AuditRecord>>;
  /** Records an act that changes nothing in the store itself, such as a sync. Durable when it returns. */
  record(act: Omit<AuditRecord, "id" | "at">): Promise<void>;
}

/** Writes an act into the audit log. @param db the transaction that the act is done in. @param now since 1970. */
export async function recordAct(db: Kysely<Database>, act: Omit<AuditRecord, "id" | "at">, now: number): Promise<void> {
  await insertAct(db, { ...act, id: newId("act", now), at: now, details: JSON.stringify(act.details) });
}

/** The audit log of a store. @param now the time in milliseconds since 1970; default: the system's. */
export function createAudit({ db }: Store, now: () => number = Date.now): Audit {
  return {
    async list(page) {
      const { items, next } = await readPage(
        page,
        (request) => listActs(db, request),
        (row) => row,
      );
      return { items: items.map((row) => ({ ...row, details: JSON.parse(row.details) })), next };
    },
    record: (act) => recordAct(db, act, now()),
  };
}
