import { createContextKey } from "@connectrpc/connect";

/** Aborts when the time is over that a call's caller gave it; its reason is what the caller is told. Undefined without such a time. */
export const deadlineKey = createContextKey<AbortSignal | undefined>(undefined, { description: "deadline" });
