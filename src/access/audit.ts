import type { Page, PageRequest } from "../store/page.ts";

/** One act of an operator. */
export interface AuditRecord {
  /** Sorts by time. */
  id: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Who: `cli:` and the name of the machine's user, or `admin-token`. */
  actor: string;
  /** What, such as `keys.create`. */
  action: string;
  /** Upon what, such as a key's id. */
  target: string;
  /** How it ended: `done`, `unchanged` or `not found`. */
  result: string;
  /** What else there is to know, such as the tier of a new key. Never a secret. */
  details: Readonly<Record<string, string>>;
}

/** The acts of operators. */
export interface Audit {
  list(page: PageRequest): Promise<Page<AuditRecord>>;
  /** Records an act that changes nothing in the store itself, such as a sync. Durable when it returns. */
  record(act: Omit<AuditRecord, "id" | "at">): Promise<void>;
}
