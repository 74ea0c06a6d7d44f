import type { ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";
import type { Socket } from "node:net";

/**
 * How long a connection that we have ended is read on. Closing a socket with unread bytes resets it, and the
 * reset can overtake the last answer; half a second lets a client that is still sending read why it must stop.
 */
const LINGER_MS = 500;

/** Destroys an ended socket when the peer ends as well, or after half a second. Returns a way to call it off. */
export function destroyAfterLinger(socket: Socket): () => void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  const cancel = () => clearTimeout(timer);
  socket.once("close", cancel);
  return () => {
    socket.off("close", cancel);
    cancel();
  };
}

/**
 * Ends a response of which the peer takes nothing for so long although there is something to take. A stream that has
 * nothing to send may be silent for as long as it likes.
 */
export function endStalled(res: ServerResponse, timeoutMs: number): void {
  const stream = (res as unknown as Http2ServerResponse).stream;
  const isHttp2 = stream !== undefined;
  // What was written and has not left, in bytes; it shrinks with every piece that was taken.
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
