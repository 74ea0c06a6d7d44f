import { ConnectError } from "@connectrpc/connect";
import {
  createAsyncIterable,
  encodeEnvelope,
  readAllBytes,
  type UniversalServerResponse,
} from "@connectrpc/connect/protocol";
import {
  codeToHttpStatus,
  createEndStreamSerialization,
  endStreamFlag,
  errorFromJsonBytes,
  errorToJsonBytes,
  parseContentType,
} from "@connectrpc/connect/protocol-connect";
import { findTrailerError, setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import { trailerFlag, trailerParse, trailerSerialize } from "@connectrpc/connect/protocol-grpc-web";
import { errorRegistry } from "./complete-error.ts";

/**
 * Writes the grpc-message of a trailer with no more escapes than gRPC asks for. Connect escapes punctuation too, and
 * @grpc/grpc-js does not undo that: its callers would read "description%3A is required".
 */
export function plainGrpcMessage(trailer: Headers | undefined): void {
  const escaped = trailer?.get("grpc-message");
  if (trailer === undefined || escaped === undefined || escaped === null) {
    return;
  }
  trailer.set("grpc-message", decodeURIComponent(escaped).replace(mustBeEscaped, encodeURIComponent));
}

/** "Percent-Byte-Unencoded" of the gRPC protocol is printable ASCII without the percent sign. */
const mustBeEscaped = /[^\x20-\x24\x26-\x7e]+/g;

/** Whether a content type is that of Connect's streams. */
export function isConnectStream(contentType: string): boolean {
  return parseContentType(contentType)?.stream === true;
}

const endStream = createEndStreamSerialization({ registry: errorRegistry });

/** The envelope that ends a stream of Connect with an error. The HTTP status of such an answer is 200. */
export function endOfStream(error: ConnectError): Uint8Array {
  return encodeEnvelope(endStreamFlag, endStream.serialize({ metadata: new Headers(), error }));
}

/** What callers are told of an error that a Connect handler answers with; the same object where nothing changes. */
export type TellError = (error: ConnectError) => ConnectError;

/** Bytes before the content of an envelope: flags and length. */
const ENVELOPE_HEAD = 5;

/**
 * A handler's response with its error, if it is one, as callers may see it. Some errors are Connect's own (a message
 * that cannot be parsed, an unknown compression) and pass no interceptor, so they are completed where they go out.
 */
export async function completeResponse(
  response: UniversalServerResponse,
  contentType: string,
  tell: TellError,
): Promise<UniversalServerResponse> {
  const { body } = response;
  if (body === undefined) {
    return response;
  }
  if (contentType.startsWith("application/grpc-web")) {
    return { ...response, body: completeLastEnvelope(body, tell) };
  }
  if (contentType.startsWith("application/grpc")) {
    return { ...response, body: completeAfter(body, response.trailer, tell) };
  }
  if (isConnectStream(contentType) && response.status === 200) {
    return { ...response, body: completeEndOfStream(body, tell) };
  }
  return response.status === 200 ? response : completeUnary(response, body, tell);
}

async function* completeAfter(
  body: AsyncIterable<Uint8Array>,
  trailer: Headers | undefined,
  tell: TellError,
): AsyncGenerator<Uint8Array> {
  yield* body;
  // Trailers are complete when the body is.
  if (trailer !== undefined) {
    completeTrailer(trailer, tell);
  }
}

/** gRPC-Web sends the trailer as an envelope of its own, which a handler yields in one piece. */
async function* completeLastEnvelope(body: AsyncIterable<Uint8Array>, tell: TellError): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (chunk[0] !== trailerFlag) {
      yield chunk;
      continue;
    }
    const trailer = trailerParse(chunk.subarray(ENVELOPE_HEAD));
    yield completeTrailer(trailer, tell) ? encodeEnvelope(trailerFlag, trailerSerialize(trailer)) : chunk;
  }
}

/** A handler yields the envelope that ends a stream in one piece. */
async function* completeEndOfStream(body: AsyncIterable<Uint8Array>, tell: TellError): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    // One that is compressed has an error of ours, which is complete.
    if (chunk[0] !== endStreamFlag) {
      yield chunk;
      continue;
    }
    const { error, metadata } = endStream.parse(chunk.subarray(ENVELOPE_HEAD));
    const told = error && tell(error);
    const isChanged = told !== undefined && told !== error;
    yield isChanged ? encodeEnvelope(endStreamFlag, endStream.serialize({ metadata, error: told })) : chunk;
  }
}

/** @returns whether anything changed. */
function completeTrailer(trailer: Headers, tell: TellError): boolean {
  const error = findTrailerError(trailer);
  if (error === undefined) {
    return false;
  }
  const told = tell(error);
  if (told !== error) {
    setTrailerStatus(trailer, told);
  }
  plainGrpcMessage(trailer);
  return true;
}

async function completeUnary(
  response: UniversalServerResponse,
  body: AsyncIterable<Uint8Array>,
  tell: TellError,
): Promise<UniversalServerResponse> {
  // Only our own errors are long enough to be compressed, and they are complete.
  if (response.header?.has("content-encoding")) {
    return response;
  }
  const bytes = await readAllBytes(body, Number.MAX_SAFE_INTEGER);
  const error = errorFromJsonBytes(bytes, undefined, new ConnectError("not an error"));
  const told = tell(error);
  if (told === error) {
    return { ...response, body: createAsyncIterable([bytes]) };
  }
  const completed = errorToJsonBytes(told, { registry: errorRegistry });
  response.header?.set("content-length", String(completed.byteLength));
  return { ...response, status: codeToHttpStatus(told.code), body: createAsyncIterable([completed]) };
}
