import type { JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createAsyncIterable, type UniversalHandler, type UniversalServerResponse } from "@connectrpc/connect/protocol";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import { errorInBody } from "../validation/problems.ts";
import type { Answer, Exchange } from "./exchange.ts";
import type { Host } from "./options.ts";
import type { HandlerCall } from "./routes.ts";

/** A response of a unary handler. */
export interface UnaryResult {
  /** Includes the trailers, with Connect's prefix "trailer-". */
  readonly header: Headers;
  /** The message in the codec of the call. */
  readonly message: Uint8Array;
}

/**
 * Calls a unary handler in process. `message` is a JSON value, or bytes in the codec that the content type of the
 * call names. Throws the ConnectError that the handler answered with.
 */
export async function callUnary(
  handler: UniversalHandler,
  call: HandlerCall,
  message: JsonValue | Uint8Array,
): Promise<UnaryResult> {
  const response = await handler({
    httpVersion: "2.0",
    method: "POST",
    url: call.url,
    header: call.header,
    body: message instanceof Uint8Array ? createAsyncIterable([message]) : message,
    signal: call.signal,
    ...(call.contextValues === undefined ? {} : { contextValues: call.contextValues }),
  });
  const header = response.header ?? new Headers();
  const bytes = await readAll(response.body);
  if (response.status !== 200) {
    throw errorFromJsonBytes(bytes, header, new ConnectError(`status ${response.status}`, Code.Internal));
  }
  return { header, message: bytes };
}

/** Reads a body of the process's own making, which is nearly always one chunk. */
async function readAll(body: UniversalServerResponse["body"]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  if (body !== undefined) {
    for await (const chunk of body) {
      chunks.push(chunk);
    }
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

/** Serves a unary method. Throws the error to answer with. */
export async function serveUnary<H extends Host>(exchange: Exchange<H>): Promise<Answer> {
  const { route, segments, incoming, call } = exchange;
  const body = await incoming.readBody(route.maxBytes);
  route.checkBody?.(body, "json");
  const { query } = incoming;
  const message = route.bind({ segments, query, body, contentType: incoming.header("content-type") });
  let result: UnaryResult;
  try {
    result = await callUnary(route.handler, call, message);
  } catch (error) {
    throw errorInBody(error, route.binding.body);
  }
  const { contentType, bytes } = route.response.encode(result.message);
  return { status: 200, header: result.header, ownHeader: { "content-type": contentType }, body: bytes };
}
