import type { ClientError } from "./client-error.ts";
import type { ClientErrorResponse } from "./format-client-error.ts";

/** The default form: `{"code":"HEADER_TOO_LARGE","message":"…"}`. */
export function formatClientErrorAsJson(error: ClientError): ClientErrorResponse {
  return {
    status: error.status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: error.reason.toUpperCase(), message: error.message }),
  };
}
