import type { JsonValue } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { createAsyncIterable, readAllBytes, type UniversalHandler } from "@connectrpc/connect/protocol";
import { errorFromJsonBytes } from "@connectrpc/connect/protocol-connect";
import type { HandlerCall } from "./handler-call.ts";

/** A response of a unary handler. */
export interface UnaryResult {
  /** Trailers are in it as Connect has them, with the prefix "trailer-". */
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
  const bytes = await readAllBytes(response.body ?? createAsyncIterable([]), Number.MAX_SAFE_INTEGER);
  if (response.status !== 200) {
    throw errorFromJsonBytes(bytes, header, new ConnectError(`status ${response.status}`, Code.Internal));
  }
  return { header, message: bytes };
}
