import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { ERROR_DOMAIN } from "../rpc/call/errors.ts";
import { commonHeaders } from "./common-headers.ts";
import type { FormatClientError } from "./listener/index.ts";
import { codeName } from "./rest-error.ts";

/** Gives requests that no handler ever saw (malformed, header too large, too slow) the form of REST errors. */
export const clientErrorResponse: FormatClientError = ({ status, message }) => {
  const code = status === 408 ? Code.DeadlineExceeded : status === 501 ? Code.Unimplemented : Code.InvalidArgument;
  const info = {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: "MALFORMED_REQUEST",
    domain: ERROR_DOMAIN,
  };
  return {
    status,
    headers: { "content-type": "application/json", ...commonHeaders(randomUUID()) },
    body: JSON.stringify({ error: { code: status, status: codeName(code), message, details: [info] } }),
  };
};
