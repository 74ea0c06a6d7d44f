import type { Kysely } from "kysely";

/**
 * A step from one schema to the next, the same for both databases. It does not use the types and queries of tables/,
 * which tell the tables as the newest schema has them.
 */
export interface Migration {
  name: string;
  /** Runs in a transaction, which a failure undoes. */
  up(db: Kysely<unknown>): Promise<void>;
}
