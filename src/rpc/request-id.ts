import { createContextKey } from "@connectrpc/connect";

/** The id of the request that a call came with, for errors and logs. */
export const requestIdKey = createContextKey<string>("unknown", { description: "request id" });
