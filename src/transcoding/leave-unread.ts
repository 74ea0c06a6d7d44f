import type { IncomingMessage } from "node:http";
import { constants, type ServerHttp2Stream } from "node:http2";

/** Clients on Node lose an answer whose stream is reset while they have not read it yet. */
const UNREAD_GRACE_MS = 1_000;

/**
 * Ends an upload that the answer does not wait for, once that is sent. In HTTP/2 the client is told to stop, or its
 * stream would stay open and hold up a shutdown. In HTTP/1.1 Node lets the rest flow away.
 */
export function leaveUnread(request: IncomingMessage): void {
  if (!("stream" in request)) return;
  const stream = request.stream as ServerHttp2Stream;
  // The response's own "finish" comes with the end of the stream, for which both sides must have ended.
  stream.once("wantTrailers", () => {
    if (request.readableEnded) return;
    const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), UNREAD_GRACE_MS);
    stream.once("close", () => clearTimeout(timer));
  });
}
