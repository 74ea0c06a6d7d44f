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
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
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

/** Makes the error for the caller of a Connect handler's error; the same object if nothing changes. */
export type CompleteError = (error: ConnectError) => ConnectError;

/** Bytes before the content of an envelope: flags and length. */
const ENVELOPE_HEAD = 5;
/** Bit of an envelope's flags: the content is compressed. */
const COMPRESSED = 1;

const compressions = [compressionGzip, compressionBrotli];

/** The bytes of an error of this process, decompressed if an encoding is named. Its size was bounded before. */
async function plainBytes(bytes: Uint8Array, encoding: string | null | undefined): Promise<Uint8Array> {
  const compression = compressions.find(({ name }) => name === encoding);
  return compression === undefined ? bytes : compression.decompress(bytes, Number.MAX_SAFE_INTEGER);
}

/**
 * A handler's response, with its error as callers may see it. Some errors are Connect's own (a message that cannot be
 * parsed, an unknown compression) and pass no interceptor, so they are completed as the response leaves.
 */
export async function completeResponse(
  response: UniversalServerResponse,
  contentType: string,
  complete: CompleteError,
): Promise<UniversalServerResponse> {
  const { body } = response;
  if (body === undefined) {
    return response;
  }
  if (contentType.startsWith("application/grpc-web")) {
    return { ...response, body: completeLastEnvelope(body, complete) };
  }
  if (contentType.startsWith("application/grpc")) {
    return { ...response, body: completeAfter(body, response.trailer, complete) };
  }
  if (isConnectStream(contentType) && response.status === 200) {
    const encoding = response.header?.get("connect-content-encoding");
    return { ...response, body: completeEndOfStream(body, encoding, complete) };
  }
  return response.status === 200 ? response : completeUnary(response, body, complete);
}

async function* completeAfter(
  body: AsyncIterable<Uint8Array>,
  trailer: Headers | undefined,
  complete: CompleteError,
): AsyncGenerator<Uint8Array> {
  yield* body;
  // The trailers are complete when the body has ended.
  if (trailer !== undefined) {
    completeTrailer(trailer, complete);
  }
}

/** Completes the trailer, which gRPC-Web sends as the last envelope. A handler yields it in one piece. */
async function* completeLastEnvelope(
  body: AsyncIterable<Uint8Array>,
  complete: CompleteError,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    if (chunk[0] !== trailerFlag) {
      yield chunk;
      continue;
    }
    const trailer = trailerParse(chunk.subarray(ENVELOPE_HEAD));
    yield completeTrailer(trailer, complete) ? encodeEnvelope(trailerFlag, trailerSerialize(trailer)) : chunk;
  }
}

/** Completes the envelope that ends a stream. A handler yields it in one piece. */
async function* completeEndOfStream(
  body: AsyncIterable<Uint8Array>,
  encoding: string | null | undefined,
  complete: CompleteError,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    const flags = chunk[0] ?? 0;
    if ((flags & endStreamFlag) === 0) {
      yield chunk;
      continue;
    }
    const isCompressed = (flags & COMPRESSED) !== 0;
    const content = await plainBytes(chunk.subarray(ENVELOPE_HEAD), isCompressed ? encoding : undefined);
    const { error, metadata } = endStream.parse(content);
    const completed = error && complete(error);
    const isChanged = completed !== undefined && completed !== error;
    yield isChanged ? encodeEnvelope(endStreamFlag, endStream.serialize({ metadata, error: completed })) : chunk;
  }
}

/** @returns whether anything changed. */
function completeTrailer(trailer: Headers, complete: CompleteError): boolean {
  const error = findTrailerError(trailer);
  if (error === undefined) {
    return false;
  }
  const completed = complete(error);
  if (completed !== error) {
    setTrailerStatus(trailer, completed);
  }
  plainGrpcMessage(trailer);
  return true;
}

async function completeUnary(
  response: UniversalServerResponse,
  body: AsyncIterable<Uint8Array>,
  complete: CompleteError,
): Promise<UniversalServerResponse> {
  const bytes = await readAllBytes(body, Number.MAX_SAFE_INTEGER);
  const content = await plainBytes(bytes, response.header?.get("content-encoding"));
  const error = errorFromJsonBytes(content, undefined, new ConnectError("not an error"));
  const completed = complete(error);
  if (completed === error) {
    return { ...response, body: createAsyncIterable([bytes]) };
  }
  const json = errorToJsonBytes(completed, { registry: errorRegistry });
  response.header?.delete("content-encoding");
  response.header?.set("content-length", String(json.byteLength));
  return { ...response, status: codeToHttpStatus(completed.code), body: createAsyncIterable([json]) };
}
