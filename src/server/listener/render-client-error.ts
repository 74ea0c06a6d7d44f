import { validateHeaderName, validateHeaderValue } from "node:http";
import type { ClientError } from "./client-error.ts";
import type { ClientErrorResponse, FormatClientError } from "./format-client-error.ts";
import { formatClientErrorAsJson } from "./format-client-error-as-json.ts";

/** Headers that are added when the answer is sent; from the hook they would come twice, or lie. */
const OWN_HEADERS = new Set(["connection", "content-length", "date", "transfer-encoding"]);

/** What the hook says, checked; the default form if the hook fails, so that a faulty hook cannot end the process. */
export function renderClientError(error: ClientError, format: FormatClientError): ClientErrorResponse {
  try {
    const { status, headers, body } = format(error);
    if (!Number.isInteger(status) || status < 400 || status > 599 || typeof body !== "string") {
      return formatClientErrorAsJson(error);
    }
    const kept: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      if (!OWN_HEADERS.has(name.toLowerCase())) {
        kept[name] = value;
      }
    }
    return { status, headers: kept, body };
  } catch {
    // There is nobody to tell: the client waits for an answer, and the default one is true as well.
    return formatClientErrorAsJson(error);
  }
}
