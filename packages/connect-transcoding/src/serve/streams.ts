import { Code, ConnectError } from "@connectrpc/connect";
import { encodeEnvelope, pipe, transformSplitEnvelope, type UniversalHandler } from "@connectrpc/connect/protocol";
import { endStreamFlag, endStreamFromJson } from "@connectrpc/connect/protocol-connect";
import { isHttpBody } from "../http-rule/http-body.ts";
import type { MessageEdit } from "../request/bind-request.ts";
import { readMessageStream } from "../request/message-stream.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { Host } from "./options.ts";
import type { HandlerCall, Route } from "./routes.ts";

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
export async function openStream<H extends Host>(exchange: Exchange<H>, edit?: MessageEdit): Promise<OpenStream> {
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

function takesStream<H extends Host>({ route }: Exchange<H>): boolean {
  const { methodKind } = route.binding.method;
  return methodKind === "client_streaming" || methodKind === "bidi_streaming";
}

async function boundMessage<H extends Host>(exchange: Exchange<H>, edit?: MessageEdit): Promise<Source> {
  const { route, segments, incoming } = exchange;
  const { query } = incoming;
  const body = await incoming.readBody(route.maxBytes);
  const contentType = incoming.header("content-type");
  const message = route.bind({ segments, query, body, contentType }, edit) as Uint8Array;
  return { messages: once(message), failure: () => undefined };
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

function boundMessages<H extends Host>({ route, segments, incoming }: Exchange<H>): Source {
  const { query } = incoming;
  const { body, method } = route.binding;
  const raw = isHttpBody(body === "message" ? method.input : body === "none" ? undefined : body.message);
  const bodies = readMessageStream(incoming.bodyStream(), incoming.header("content-type"), raw, route.maxBytes);
  const contentType = raw ? incoming.header("content-type") : undefined;
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
export async function serveClientStream<H extends Host>(exchange: Exchange<H>): Promise<Answer> {
  const { header, first, messages } = await openStream(exchange);
  if (first.done) {
    throw new ConnectError("the handler returned no message", Code.Internal);
  }
  // The end of the stream may still carry an error.
  await messages.next();
  const { contentType, bytes } = exchange.route.response.encode(first.value);
  return { status: 200, header, ownHeader: { "content-type": contentType }, body: bytes };
}

/**
 * Serves a stream of messages as lines of JSON: `{"result": …}` each, and an error as the last line. The contents of a
 * stream of google.api.HttpBody are sent one after another, and a late error cuts them off. An error before the first
 * message is thrown, so that the caller can answer with it.
 */
export async function serveServerStream<H extends Host>(exchange: Exchange<H>): Promise<Answer> {
  const { route, incoming } = exchange;
  const stream = await openStream(exchange);
  const { isRaw } = route.response;
  const contentType = isRaw ? contentTypeOf(route, stream) : "application/x-ndjson";
  const head = { status: 200, header: stream.header, ownHeader: { "content-type": contentType } };
  if (incoming.method === "HEAD") {
    await stream.messages.return();
    return { ...head, body: undefined };
  }
  return { ...head, body: isRaw ? contents(route, stream) : lines(exchange, stream) };
}

function contentTypeOf(route: Route, { first }: OpenStream): string {
  return first.done ? "application/octet-stream" : route.response.encode(first.value).contentType;
}

async function* contents(route: Route, stream: OpenStream): AsyncGenerator<Uint8Array> {
  for await (const message of allMessages(stream)) {
    const { bytes } = route.response.encode(message);
    if (bytes.length > 0) {
      yield bytes;
    }
  }
}

const RESULT = Buffer.from('{"result":');
const END = Buffer.from("}\n");

async function* lines<H extends Host>(exchange: Exchange<H>, stream: OpenStream): AsyncGenerator<Uint8Array> {
  const { route, errors, incoming } = exchange;
  try {
    for await (const message of allMessages(stream)) {
      yield Buffer.concat([RESULT, route.response.encode(message).bytes, END]);
    }
  } catch (error) {
    yield Buffer.from(`${errors.inStream(error, incoming.host, route.binding.method)}\n`);
  }
}

async function* allMessages({ first, messages }: OpenStream): AsyncGenerator<Uint8Array> {
  if (!first.done) {
    yield first.value;
    yield* messages;
  }
}
