import { STATUS_CODES } from "node:http";
import type { ClientError } from "./client-error.ts";
import type { FormatClientError } from "./format-client-error.ts";
import { renderClientError } from "./render-client-error.ts";

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
