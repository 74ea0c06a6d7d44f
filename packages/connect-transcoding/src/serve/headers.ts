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

/** The headers of a request of Node that may be passed on to a handler. */
export function passedHeaders(rawHeaders: readonly string[]): Headers {
  const header = new Headers();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    // HTTP/2 has pseudo-headers, which Headers refuses.
    if (!name.startsWith(":") && !NOT_PASSED_ON.has(name.toLowerCase())) {
      header.append(name, rawHeaders[i + 1]!);
    }
  }
  return header;
}

/** The headers of a Fetch request that may be passed on to a handler. */
export function passedFetchHeaders(headers: Headers): Headers {
  const header = new Headers();
  headers.forEach((value, name) => {
    if (!NOT_PASSED_ON.has(name)) {
      header.append(name, value);
    }
  });
  return header;
}

/**
 * The headers that a handler gets for a REST request: the client's, as of a Connect call with the given content type. A
 * gRPC timeout is passed on as Connect's. Throws INVALID_ARGUMENT for a malformed one.
 */
export function callHeader<H extends Host>(incoming: Incoming<H>, contentType: string): Headers {
  const header = incoming.passedHeaders();
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

/**
 * The quality of each value in an Accept or Accept-Encoding header (RFC 9110, section 12.4.2), by the value in lower
 * case: 1 without a `q`, NaN for a malformed one. Other parameters are dropped.
 */
export function qualities(header: string): Map<string, number> {
  return new Map(
    header
      .toLowerCase()
      .split(",")
      .map((entry) => {
        const [value = "", ...parameters] = entry.split(";").map((part) => part.trim());
        const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [value, Number(q ?? 1)];
      }),
  );
}
