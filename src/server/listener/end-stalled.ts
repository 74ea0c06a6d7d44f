import type { ServerResponse } from "node:http";
import { constants, type Http2ServerResponse } from "node:http2";

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
    } else if (isHttp2) stream.close(constants.NGHTTP2_CANCEL);
    else res.socket?.destroy();
  };
  const timer = setTimeout(look, timeoutMs);
  res.once("close", () => clearTimeout(timer));
}
