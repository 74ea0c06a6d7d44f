import type { ContextValues } from "@connectrpc/connect";
import type { Access } from "../access/access.ts";
import { callerOf } from "./caller.ts";
import { dailyStandingKey } from "./daily-standing.ts";

/** What counts the units of calls. */
export type Quota = Pick<Access, "reserve" | "usage">;

/**
 * Does work that uses up one unit of the caller's daily quota. It is reserved before, and given back when the work
 * fails. A caller who hangs up meanwhile has used it: the work goes on to its end.
 *
 * @throws ServiceError QUOTA_EXHAUSTED, and what the work throws.
 */
export async function countUnit<T>(quota: Quota, values: ContextValues, work: () => Promise<T>): Promise<T> {
  const reservation = await quota.reserve(callerOf(values), 1);
  const { limit, remaining, resetMs } = reservation;
  const isLimited = limit !== undefined && remaining !== undefined;
  if (isLimited) values.set(dailyStandingKey, { limit, remaining, resetMs });
  try {
    return await work();
  } catch (error) {
    try {
      await reservation.giveBack();
      if (isLimited) values.set(dailyStandingKey, { limit, remaining: remaining + 1, resetMs });
    } catch {
      // The unit stays counted. What the caller has to know is why the work failed.
    }
    throw error;
  }
}
