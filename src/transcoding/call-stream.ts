import { encodeEnvelope, pipe, transformSplitEnvelope, type UniversalHandler } from "@connectrpc/connect/protocol";
import { endStreamFlag, endStreamFromJson } from "@connectrpc/connect/protocol-connect";
import type { HandlerCall } from "./handler-call.ts";

/** A response of a streaming handler. */
export interface StreamResult {
  readonly header: Headers;
  /** The messages in the codec of the call. Throws the ConnectError that the stream ended with. */
  readonly messages: AsyncGenerator<Uint8Array, void>;
}

/**
 * Calls a streaming handler in process, of whichever kind. Resolves with the first message, or with the end of the
 * stream.
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
