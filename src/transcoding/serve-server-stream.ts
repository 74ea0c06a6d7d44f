import { constants, type ServerHttp2Stream } from "node:http2";
import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import { copyHeader } from "./copy-header.ts";
import type { Exchange } from "./exchange.ts";
import { type OpenStream, openStream } from "./open-stream.ts";

/**
 * Serves a stream of messages as lines of JSON, `{"result": …}` each and an error as the last one, or the contents of
 * a stream of google.api.HttpBody one after another; a late error cuts these off. Throws what is to be answered as an
 * error, which is possible until the first message is there.
 */
export async function serveServerStream(exchange: Exchange): Promise<FastifyReply> {
  const { route, request, reply } = exchange;
  const stream = await openStream(exchange);
  copyHeader(stream.header, (name, value) => reply.header(name, value));
  const { isRaw } = route.response;
  reply.header("content-type", isRaw ? contentTypeOf(exchange, stream) : "application/x-ndjson");
  if (request.method === "HEAD") {
    await stream.messages.return();
    return reply.send();
  }
  const chunks = isRaw ? contents(exchange, stream) : lines(exchange, stream);
  return reply.send(Readable.from(chunks, { objectMode: false }));
}

function contentTypeOf({ route }: Exchange, { first }: OpenStream): string {
  return first.done ? "application/octet-stream" : route.response.encode(first.value).contentType;
}

async function* contents({ route, reply }: Exchange, stream: OpenStream): AsyncGenerator<Uint8Array> {
  try {
    for await (const message of allMessages(stream)) {
      const { bytes } = route.response.encode(message);
      if (bytes.length > 0) {
        yield bytes;
      }
    }
  } catch (error) {
    // Fastify destroys the response, which over HTTP/2 looks like its proper end without a reset.
    if ("stream" in reply.raw) {
      (reply.raw.stream as ServerHttp2Stream).close(constants.NGHTTP2_INTERNAL_ERROR);
    }
    throw error;
  }
}

const RESULT = Buffer.from('{"result":');
const END = Buffer.from("}\n");

async function* lines(exchange: Exchange, stream: OpenStream): AsyncGenerator<Uint8Array> {
  const { route, errors, request } = exchange;
  try {
    for await (const message of allMessages(stream)) {
      yield Buffer.concat([RESULT, route.response.encode(message).bytes, END]);
    }
  } catch (error) {
    yield Buffer.from(`${errors.inStream(error, request, route.binding.method)}\n`);
  }
}

async function* allMessages({ first, messages }: OpenStream): AsyncGenerator<Uint8Array> {
  if (!first.done) {
    yield first.value;
    yield* messages;
  }
}
