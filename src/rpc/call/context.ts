import { type ContextValues, createContextKey } from "@connectrpc/connect";
import type { Caller } from "../../access/caller.ts";
import type { OnStage } from "../../recommend/index.ts";

/** Who calls. Set for every call before its handler runs. */
export const callerKey = createContextKey<Caller | undefined>(undefined, { description: "caller" });

/** Who calls. @throws Error when nobody set it: then nothing may be answered. */
export function callerOf(values: ContextValues): Caller {
  const caller = values.get(callerKey);
  if (caller === undefined) {
    throw new Error("The call has no caller");
  }
  return caller;
}

/** Aborts when the time is over that a call's caller gave it; its reason is what the caller is told. Undefined without such a time. */
export const deadlineKey = createContextKey<AbortSignal | undefined>(undefined, { description: "deadline" });

/** Whether a call came as far as its handler; before, its message was read, and what fails is the caller's. */
export const handlerReachedKey = createContextKey<boolean>(false, { description: "handler reached" });

/** The id of the request that a call came with, for errors and logs. */
export const requestIdKey = createContextKey<string>("unknown", { description: "request id" });

/** Is told how long the steps of a call's recommendations took. */
export const onStageKey = createContextKey<OnStage>(() => {}, { description: "steps of recommendations" });

/** How a caller stands with the daily quota. */
export interface DailyStanding {
  /** Units a day. */
  limit: number;
  /** What is left of them. */
  remaining: number;
  /** The midnight UTC that ends the day, in milliseconds since 1970. */
  resetMs: number;
}

/** How the caller of a call stands after it; undefined where it is not known, or there is no limit. */
export const dailyStandingKey = createContextKey<DailyStanding | undefined>(undefined, {
  description: "daily standing",
});
