import type { IncomingMessage } from "node:http";
import { deadlineHeader, MAX_MS } from "./deadline-header.ts";

/** Headers that describe the body as it was sent, or the connection, and not the call. */
const OMITTED: ReadonlySet<string> = new Set([
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
 * The header that a handler gets for a REST request: what the client sent, as a Connect call with the given content
 * type. A timeout in gRPC's form is passed on in Connect's. Throws INVALID_ARGUMENT for one that cannot be read.
 */
export function requestHeader(request: IncomingMessage, contentType: string): Headers {
  const header = new Headers();
  const raw = request.rawHeaders;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!;
    // HTTP/2 has pseudo headers, which Headers refuses.
    if (!name.startsWith(":") && !OMITTED.has(name.toLowerCase())) {
      header.append(name, raw[i + 1]!);
    }
  }
  header.set("content-type", contentType);
  header.set("connect-protocol-version", "1");
  const grpcTimeout = request.headers["grpc-timeout"];
  if (typeof grpcTimeout === "string") {
    header.set("connect-timeout-ms", deadlineHeader(grpcTimeout));
  } else if (Number(header.get("connect-timeout-ms")) > MAX_MS) {
    header.set("connect-timeout-ms", String(MAX_MS));
  }
  return header;
}
