import { constants, type ServerHttp2Stream } from "node:http2";
import { Readable } from "node:stream";
import { Code, ConnectError } from "@connectrpc/connect";
import { encodeEnvelope, pipe, transformSplitEnvelope, type UniversalHandler } from "@connectrpc/connect/protocol";
import { endStreamFlag, endStreamFromJson } from "@connectrpc/connect/protocol-connect";
import type { FastifyReply } from "fastify";
import { isHttpBody } from "../http-rule/http-body.ts";
import type { MessageEdit } from "../request/bind-request.ts";
import { readMessageStream } from "../request/message-stream.ts";
import { readBody } from "../request/read-body.ts";
import { copyHeader } from "./response-encoder.ts";
import type { Exchange, HandlerCall } from "./routes.ts";

/** A response of a streaming handler. */
export interface StreamResult {
  readonly header: Headers;
  /** The messages in the codec of the call. Throws the ConnectError that the stream ended with. */
  readonly messages: AsyncGenerator<Uint8Array, void>;
}

/**
 * Calls a streaming handler of any kind in process. Resolves with the first message, or with the end of the stream.
 */
export async function callStream(
  handler: UniversalHandler,
  call: HandlerCall,
  messages: AsyncIterable<Uint8Array>,
): Promise<StreamResult> {
  const response = await handler({
    httpVersion: "2.0",
    method: "POST",
    url: call.url,
    header: call.header,
    body: envelopes(messages),
    signal: call.signal,
    ...(call.contextValues === undefined ? {} : { contextValues: call.contextValues }),
  });
  return { header: response.header ?? new Headers(), messages: readMessages(response.body) };
}

async function* envelopes(messages: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const message of messages) {
    yield encodeEnvelope(0, message);
  }
}

async function* readMessages(body: AsyncIterable<Uint8Array> | undefined): AsyncGenerator<Uint8Array, void> {
  if (body === undefined) {
    return;
  }
  const split = pipe(body, transformSplitEnvelope(0xffffffff), { propagateDownStreamError: true });
  for await (const { flags, data } of split) {
    if ((flags & endStreamFlag) === endStreamFlag) {
      const end = endStreamFromJson(data);
      if (end.error !== undefined) {
        throw end.error;
      }
      return;
    }
    yield data;
  }
}

/** A stream whose first message or end has arrived. */
export interface OpenStream extends StreamResult {
  readonly first: IteratorResult<Uint8Array, void>;
}

/**
 * Calls a streaming method. Throws the error to answer with: the faults of the request, or what the handler threw
 * before the first message.
 */
export async function openStream(exchange: Exchange, edit?: MessageEdit): Promise<OpenStream> {
  const { route, call } = exchange;
  const source = takesStream(exchange) ? boundMessages(exchange) : await boundMessage(exchange, edit);
  try {
    const result = await callStream(route.handler, call, source.messages);
    return { ...result, first: await result.messages.next() };
  } catch (error) {
    // The handler's error for a broken request no longer has the status.
    throw source.failure() ?? error;
  }
}

interface Source {
  readonly messages: AsyncIterable<Uint8Array>;
  /** The error that reading the messages ended with, if any. */
  readonly failure: () => unknown;
}

function takesStream({ route }: Exchange): boolean {
  const { methodKind } = route.binding.method;
  return methodKind === "client_streaming" || methodKind === "bidi_streaming";
}

async function boundMessage(exchange: Exchange, edit?: MessageEdit): Promise<Source> {
  const { route, segments, query, request, openRoom } = exchange;
  const body = await readBody(request.raw, route.maxBytes, openRoom);
  const contentType = request.headers["content-type"];
  const message = route.bind({ segments, query, body, contentType }, edit) as Uint8Array;
  return { messages: once(message), failure: () => undefined };
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

function boundMessages({ route, segments, query, request }: Exchange): Source {
  const { body, method } = route.binding;
  const raw = isHttpBody(body === "message" ? method.input : body === "none" ? undefined : body.message);
  const bodies = readMessageStream(request.raw, raw, route.maxBytes);
  const contentType = raw ? request.headers["content-type"] : undefined;
  let failure: unknown;
  async function* messages(): AsyncGenerator<Uint8Array> {
    try {
      for await (const each of bodies) {
        yield route.bind({ segments, query, body: each, contentType }) as Uint8Array;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { messages: messages(), failure: () => failure };
}

/** Serves a method that takes a stream and returns one message. Throws the error to answer with. */
export async function serveClientStream(exchange: Exchange): Promise<FastifyReply> {
  const { header, first, messages } = await openStream(exchange);
  if (first.done) {
    throw new ConnectError("the handler returned no message", Code.Internal);
  }
  // The end of the stream may still carry an error.
  await messages.next();
  const { contentType, bytes } = exchange.route.response.encode(first.value);
  copyHeader(header, exchange.reply);
  return exchange.reply.header("content-type", contentType).send(bytes);
}

/**
 * Serves a stream of messages as lines of JSON: `{"result": …}` each, and an error as the last line. The contents of a
 * stream of google.api.HttpBody are sent one after another, and a late error cuts them off. An error before the first
 * message is thrown, so that the caller can answer with it.
 */
export async function serveServerStream(exchange: Exchange): Promise<FastifyReply> {
  const { route, request, reply } = exchange;
  const stream = await openStream(exchange);
  copyHeader(stream.header, reply);
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
