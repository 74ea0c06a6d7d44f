import { callStream, type StreamResult } from "./call-stream.ts";
import type { Exchange } from "./exchange.ts";
import { isHttpBody } from "./http-body.ts";
import { readBody } from "./read-body.ts";
import { readMessageStream } from "./read-message-stream.ts";
import type { MessageEdit } from "./route.ts";

/** A stream whose first message, or whose end, is there. */
export interface OpenStream extends StreamResult {
  readonly first: IteratorResult<Uint8Array, void>;
}

/**
 * Calls a streaming method. Throws what is to be answered as an error: what is wrong with the request, and what the
 * handler threw before the first message.
 */
export async function openStream(exchange: Exchange, edit?: MessageEdit): Promise<OpenStream> {
  const { route, call } = exchange;
  const source = takesStream(exchange) ? boundMessages(exchange) : await boundMessage(exchange, edit);
  try {
    const result = await callStream(route.handler, call, source.messages);
    return { ...result, first: await result.messages.next() };
  } catch (error) {
    // What the handler makes of a broken request has lost the status.
    throw source.failure() ?? error;
  }
}

interface Source {
  readonly messages: AsyncIterable<Uint8Array>;
  /** What went wrong while the messages were read. */
  readonly failure: () => unknown;
}

function takesStream({ route }: Exchange): boolean {
  const { methodKind } = route.binding.method;
  return methodKind === "client_streaming" || methodKind === "bidi_streaming";
}

async function boundMessage(exchange: Exchange, edit?: MessageEdit): Promise<Source> {
  const { route, segments, query, request, room } = exchange;
  const body = await readBody(request.raw, route.maxBytes, room);
  const bound = route.bind({ segments, query, body, contentType: request.headers["content-type"] });
  const message = route.encodeRequest(bound, edit) as Uint8Array;
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
        const bound = route.bind({ segments, query, body: each, contentType });
        yield route.encodeRequest(bound) as Uint8Array;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  return { messages: messages(), failure: () => failure };
}
