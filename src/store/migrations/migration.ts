import type { Kysely } from "kysely";

/**
 * A step from one schema to the next, the same for both databases. It does not use the types and queries of tables/,
 * which describe the newest schema.
 */
export interface Migration {
  name: string;
  /** Runs in a transaction, so a failure undoes it. */
  up(db: Kysely<unknown>): Promise<void>;
}
