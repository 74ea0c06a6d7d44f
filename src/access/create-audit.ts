import { readPage } from "../store/page.ts";
import type { Store } from "../store/store.ts";
import { listActs } from "../store/tables/audit-log.ts";
import type { Audit } from "./audit.ts";
import { recordAct } from "./record-act.ts";

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
