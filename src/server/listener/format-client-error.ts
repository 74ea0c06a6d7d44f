import { STATUS_CODES, validateHeaderName, validateHeaderValue } from "node:http";
import type { ClientError } from "./client-error.ts";

/** A complete answer. `content-length`, `date` and `connection: close` are added and need not be given. */
export interface ClientErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Gives a refusal the form of the service's errors. If it throws, or its answer cannot be sent, the default does. */
export type FormatClientError = (error: ClientError) => ClientErrorResponse;

/** The default form: `{"code":"HEADER_TOO_LARGE","message":"…"}`. */
export function formatClientErrorAsJson(error: ClientError): ClientErrorResponse {
  return {
    status: error.status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code: error.reason.toUpperCase(), message: error.message }),
  };
}

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

/** What renderClientError gives, as the bytes of an HTTP/1.1 response, for a connection that has no response object any more. */
export function renderClientErrorBytes(error: ClientError, format: FormatClientError): Buffer {
  const { status, headers, body } = renderClientError(error, format);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}`];
  for (const [name, value] of Object.entries(headers)) {
    lines.push(`${name}: ${value}`);
  }
  lines.push(`date: ${new Date().toUTCString()}`, `content-length: ${Buffer.byteLength(body)}`, "connection: close");
  // latin1 is how Node writes headers, and what validateHeaderValue has allowed.
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), Buffer.from(body)]);
}
