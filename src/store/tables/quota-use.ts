import type { Kysely } from "kysely";
import type { Database } from "../database.ts";

/** Used units, by subject and day. */
export interface QuotaUseTable {
  subject: string;
  /** Days since 1970, in UTC. */
  day: number;
  used: number;
}

/** A subject and a day. */
export interface QuotaDay {
  subject: string;
  day: number;
}

/**
 * Counts units unless they would exceed the limit. One statement does it, so concurrent callers cannot exceed it.
 *
 * @param units at least 1.
 * @returns the units used in all. Undefined if nothing was counted.
 */
export async function addUse(
  db: Kysely<Database>,
  { subject, day }: QuotaDay,
  units: number,
  limit: number,
): Promise<number | undefined> {
  // The first row of a day has no conflict, so the condition is checked here.
  if (units > limit) {
    return undefined;
  }
  const counted = await db
    .insertInto("quota_use")
    .values({ subject, day, used: units })
    .onConflict((conflict) =>
      conflict
        .columns(["subject", "day"])
        .doUpdateSet((is) => ({ used: is("quota_use.used", "+", units) }))
        .where((is) => is(is("quota_use.used", "+", units), "<=", limit)),
    )
    .returning("used")
    .executeTakeFirst();
  return counted?.used;
}

/** Counts units without a limit. */
export async function increaseUse(db: Kysely<Database>, { subject, day }: QuotaDay, units: number): Promise<void> {
  await db
    .insertInto("quota_use")
    .values({ subject, day, used: units })
    .onConflict((conflict) =>
      conflict.columns(["subject", "day"]).doUpdateSet((is) => ({ used: is("quota_use.used", "+", units) })),
    )
    .execute();
}

/** Returns counted units, not below 0. */
export async function subtractUse(db: Kysely<Database>, { subject, day }: QuotaDay, units: number): Promise<void> {
  await db
    .updateTable("quota_use")
    .set((is) => ({
      used: is
        .case()
        .when("used", ">", units)
        .then(is("used", "-", units))
        .else(0)
        .end(),
    }))
    .where("subject", "=", subject)
    .where("day", "=", day)
    .execute();
}

export async function readUse(db: Kysely<Database>, { subject, day }: QuotaDay): Promise<number> {
  const row = await db
    .selectFrom("quota_use")
    .select("used")
    .where("subject", "=", subject)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.used ?? 0;
}

/** Deletes the use before a day, some rows at a time. @returns whether there may be more. */
export async function pruneUse(db: Kysely<Database>, beforeDay: number, rows: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("quota_use")
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("subject", "day"),
        "in",
        selectFrom("quota_use")
          .select(["subject", "day"])
          .where("day", "<", beforeDay)
          .limit(rows)
          .$asTuple("subject", "day"),
      ),
    )
    .executeTakeFirst();
  return numDeletedRows >= BigInt(rows);
}
