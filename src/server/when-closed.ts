import type { ServerHttp2Stream } from "node:http2";
import type { FastifyReply } from "fastify";

/** What waits for the end of a response. A listener for each would make Node warn of a leak of listeners. */
const waiting = new WeakMap<FastifyReply["raw"], (() => void)[]>();

/** Calls back when the answer is sent or the client has left; at once if that has happened. */
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
