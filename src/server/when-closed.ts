import type { ServerHttp2Stream } from "node:http2";
import type { FastifyReply } from "fastify";

/** The callbacks that wait for the end of a response. With a listener for each, Node would warn of a leak. */
const waiting = new WeakMap<FastifyReply["raw"], (() => void)[]>();

/** Calls back when the answer is sent or the client has left; at once if this has already happened. */
export function whenClosed({ raw }: Pick<FastifyReply, "raw">, then: () => void): void {
  // Responses over HTTP/2 have no such property.
  const isClosed = "stream" in raw ? (raw.stream as ServerHttp2Stream).destroyed : raw.closed;
  const known = waiting.get(raw);
  if (isClosed) {
    then();
  } else if (known !== undefined) {
    known.push(then);
  } else {
    const callbacks = [then];
    waiting.set(raw, callbacks);
    raw.once("close", () => {
      for (const callback of callbacks) {
        callback();
      }
    });
  }
}
