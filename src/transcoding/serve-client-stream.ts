import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyReply } from "fastify";
import { copyHeader } from "./copy-header.ts";
import type { Exchange } from "./exchange.ts";
import { openStream } from "./open-stream.ts";

/** Serves a method that takes a stream and returns one message. Throws what is to be answered as an error. */
export async function serveClientStream(exchange: Exchange): Promise<FastifyReply> {
  const { header, first, messages } = await openStream(exchange);
  if (first.done) {
    throw new ConnectError("the handler returned no message", Code.Internal);
  }
  // The end of the stream may still tell an error.
  await messages.next();
  const { contentType, bytes } = exchange.route.response.encode(first.value);
  copyHeader(header, (name, value) => exchange.reply.header(name, value));
  return exchange.reply.header("content-type", contentType).send(bytes);
}
