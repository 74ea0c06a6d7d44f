import { errorDetails } from "./error-details.ts";
import type { ErrorFormatter } from "./error-format.ts";

/** The default error formatter: google.rpc.Status, in a stream as `{"error": …}` beside the results. */
export const formatStatus: ErrorFormatter = (error, { inStream, registry }) => {
  const status = { code: error.code, message: error.rawMessage, details: errorDetails(error, registry) };
  return { body: inStream ? { error: status } : status };
};
