import { Code, ConnectError, type HandlerContext } from "@connectrpc/connect";
import type { Access } from "../../access/index.ts";
import { callerOf, dailyStandingKey } from "./context.ts";

/** What counts the units of calls. */
export type Quota = Pick<Access, "reserve" | "usage">;

/**
 * Does work that uses up one unit of the caller's daily quota. The unit is reserved before the work and given back only
 * when the work does not begin because the call's deadline has passed. Work that fails after it began has used the unit,
 * whatever it fails with: otherwise a caller could have the work for nothing by a short deadline. A caller who hangs up
 * has used the unit at any time.
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
  if (isLimited) {
    values.set(dailyStandingKey, { limit, remaining, resetMs });
  }
  // The database may have taken all the time that there was.
  if (!signal.aborted) {
    return work();
  }
  if (!isHangUp(signal.reason)) {
    try {
      await reservation.giveBack();
      if (isLimited) {
        values.set(dailyStandingKey, { limit, remaining: remaining + 1, resetMs });
      }
    } catch {
      // The unit stays counted. What the caller has to know is that the time is over.
    }
  }
  throw signal.reason;
}

function isHangUp(reason: unknown): boolean {
  return reason instanceof ConnectError && reason.code === Code.Canceled;
}
