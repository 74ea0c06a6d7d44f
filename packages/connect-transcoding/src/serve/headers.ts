import { Code, ConnectError } from "@connectrpc/connect";
import { parseTimeout } from "@connectrpc/connect/protocol-grpc";
import type { Incoming } from "./exchange.ts";
import type { Host } from "./options.ts";

/** The longest time that timers take. A longer one would fire at once. */
export const MAX_MS = 2 ** 31 - 1;

/** Turns a Grpc-Timeout header into a Connect-Timeout-Ms header. Throws INVALID_ARGUMENT if it is malformed. */
export function deadlineHeader(grpcTimeout: string): string {
  const { timeoutMs } = parseTimeout(grpcTimeout, Number.POSITIVE_INFINITY);
  if (timeoutMs === undefined) {
    throw new ConnectError(`grpc-timeout "${grpcTimeout}" is not valid`, Code.InvalidArgument);
  }
  return String(Math.min(MAX_MS, Math.ceil(timeoutMs)));
}

/** Headers that describe the body as sent, or the connection, rather than the call. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "grpc-timeout",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The headers that a handler gets for a REST request: the client's, as of a Connect call with the given content type. A
 * gRPC timeout is passed on as Connect's. Throws INVALID_ARGUMENT for a malformed one.
 */
export function callHeader<H extends Host>(incoming: Incoming<H>, contentType: string): Headers {
  const header = new Headers();
  for (const [name, value] of incoming.headers) {
    // HTTP/2 has pseudo-headers, which Headers refuses.
    if (!name.startsWith(":") && !NOT_PASSED_ON.has(name.toLowerCase())) {
      header.append(name, value);
    }
  }
  header.set("content-type", contentType);
  header.set("connect-protocol-version", "1");
  const grpcTimeout = incoming.header("grpc-timeout");
  if (grpcTimeout !== undefined) {
    header.set("connect-timeout-ms", deadlineHeader(grpcTimeout));
  } else if (Number(header.get("connect-timeout-ms")) > MAX_MS) {
    header.set("connect-timeout-ms", String(MAX_MS));
  }
  return header;
}
