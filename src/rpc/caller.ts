import { type ContextValues, createContextKey } from "@connectrpc/connect";
import type { Caller } from "../access/caller.ts";

/** Who calls. Set for every call before its handler runs. */
export const callerKey = createContextKey<Caller | undefined>(undefined, { description: "caller" });

/** Who calls. @throws Error when nobody set it: then nothing may be answered. */
export function callerOf(values: ContextValues): Caller {
  const caller = values.get(callerKey);
  if (caller === undefined) throw new Error("The call has no caller");
  return caller;
}
