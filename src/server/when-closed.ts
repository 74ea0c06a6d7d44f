import type { ServerHttp2Stream } from "node:http2";
import type { FastifyReply } from "fastify";

/** Calls back when the answer is sent or the client has left; at once where that was before. */
export function whenClosed({ raw }: Pick<FastifyReply, "raw">, then: () => void): void {
  // Responses over HTTP/2 do not tell it themselves.
  const isClosed = "stream" in raw ? (raw.stream as ServerHttp2Stream).destroyed : raw.closed;
  if (isClosed) then();
  else raw.once("close", then);
}
