import type { ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";

/**
 * How long we continue to read from a connection that we have ended. Closing a socket with unread bytes resets it, and
 * the reset can overtake the last answer. Within half a second, a client that is still sending can read the answer.
 */
const LINGER_MS = 500;

/** Destroys an ended socket when the peer ends as well, or after half a second. @returns cancels it. */
export function destroyAfterLinger(socket: Socket): () => void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  const cancel = () => clearTimeout(timer);
  socket.once("close", cancel);
  return () => {
    socket.off("close", cancel);
    cancel();
  };
}

/** Clients on Node lose an answer whose stream is reset while they have not read it yet. */
const UNREAD_GRACE_MS = 1_000;

/**
 * Ends an upload that was answered before it was read. In HTTP/2 the rest is discarded after the answer, and a second
 * later the stream is destroyed. Otherwise it would stay open and delay a shutdown, and Node keeps even a closed stream,
 * with up to 64 KiB of its body, until somebody reads to the end. A client on Node that could not send the rest keeps it
 * as well, and refuses every answer once that is 10 MB. In HTTP/1.1 Node discards the rest by itself.
 */
export function endUnread(request: Http2ServerRequest): void {
  const { stream } = request;
  if (stream.endAfterHeaders) {
    return;
  }
  // The response's own "finish" only comes when both sides of the stream have ended.
  stream.once("finish", () => {
    if (request.readableEnded) {
      return;
    }
    request.resume();
    // Destroyed, not closed: a reader that still waits for the next part would keep a closed stream.
    const timer = setTimeout(() => stream.destroy(), UNREAD_GRACE_MS);
    stream.once("close", () => clearTimeout(timer));
  });
}

/**
 * Ends a response if data waits for the peer and it reads none of it for `timeoutMs`. A stream without data to send has
 * no limit.
 */
export function endStalled(res: ServerResponse, timeoutMs: number): void {
  const stream = (res as unknown as Http2ServerResponse).stream;
  const isHttp2 = stream !== undefined;
  // The bytes that were written but not sent yet.
  const pending = () => (isHttp2 ? stream.writableLength : res.writableLength);
  let before = 0;
  const look = () => {
    const now = pending();
    if (now === 0 || now !== before) {
      before = now;
      timer.refresh();
    } else if (isHttp2) {
      stream.close(constants.NGHTTP2_CANCEL);
    } else {
      res.socket?.destroy();
    }
  };
  const timer = setTimeout(look, timeoutMs);
  res.once("close", () => clearTimeout(timer));
}
