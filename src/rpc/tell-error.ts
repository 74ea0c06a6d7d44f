import { type ConnectError, createContextKey } from "@connectrpc/connect";
import { callerError } from "./connect-error.ts";

/** What the caller of this call is told of anything thrown; what is hidden from the caller is logged. */
export const tellErrorKey = createContextKey<(thrown: unknown) => ConnectError>(
  (thrown) => callerError(thrown, "unknown"),
  { description: "how errors are told" },
);
