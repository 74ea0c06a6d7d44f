import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { Access } from "../access/access.ts";
import { callerOf } from "./caller.ts";
import { dailyStandingKey } from "./daily-standing.ts";

/** What counts the units of calls. */
export type Quota = Pick<Access, "reserve" | "usage">;

/**
 * Does work that uses up one unit of the caller's daily quota. It is reserved before, and given back when the work
 * fails. A caller who hangs up meanwhile has used it.
 *
 * @throws ServiceError QUOTA_EXHAUSTED, what the work throws, and the reason of a signal that aborts before the work.
 */
export async function countUnit<T>(
  quota: Quota,
  { values, signal }: Pick<HandlerContext, "values" | "signal">,
  work: () => Promise<T>,
): Promise<T> {
  const reservation = await quota.reserve(callerOf(values), 1);
  const { limit, remaining, resetMs } = reservation;
  const isLimited = limit !== undefined && remaining !== undefined;
  if (isLimited) values.set(dailyStandingKey, { limit, remaining, resetMs });
  try {
    // The database may have taken all the time that there was.
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    if (isHangUp(error, signal)) throw error;
    try {
      await reservation.giveBack();
      if (isLimited) values.set(dailyStandingKey, { limit, remaining: remaining + 1, resetMs });
    } catch {
      // The unit stays counted. What the caller has to know is why the work failed.
    }
    throw error;
  }
}

function isHangUp(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error === signal.reason && error instanceof ConnectError && error.code === Code.Canceled;
}
