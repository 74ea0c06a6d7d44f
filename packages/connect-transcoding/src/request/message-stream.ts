import type { Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { bodyTooLarge, HttpError } from "../errors/http-error.ts";
import { isJsonType } from "./bind-request.ts";
import type { BodyStream } from "./read-body.ts";

const LINES = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\s*(?:;|$)/i;

/**
 * The bodies of the messages in a request to a client stream: JSON values one after another, or with `raw` the
 * chunks as they arrive. Throws an HttpError for other content types and encodings, and for a value above `maxBytes`.
 */
export function readMessageStream(
  body: BodyStream | undefined,
  contentType: string | undefined,
  raw: boolean,
  maxBytes: number,
): AsyncIterable<Uint8Array> {
  const chunks = body === undefined ? none() : decode(body);
  if (raw) {
    return chunks;
  }
  if (contentType !== undefined && !isJsonType(contentType) && !LINES.test(contentType)) {
    throw new HttpError(415, Code.InvalidArgument, `content type ${contentType} is not supported; send lines of JSON`, {
      accept: "application/x-ndjson, application/json",
    });
  }
  return splitJson(chunks, maxBytes, () => bodyTooLarge(maxBytes));
}

async function* none(): AsyncGenerator<Uint8Array> {
  // A request without a body is a stream without messages.
}

function decode(request: BodyStream): AsyncIterable<Uint8Array> {
  const encoding = request.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  switch (encoding) {
    case "identity":
      return request;
    case "gzip":
    case "x-gzip":
      return decompressed(request, createGunzip());
    case "deflate":
      return decompressed(request, createInflate());
    case "br":
      return decompressed(request, createBrotliDecompress());
    default:
      throw new HttpError(415, Code.InvalidArgument, `content encoding ${encoding} is not supported`, {
        "accept-encoding": "gzip, deflate, br",
      });
  }
}

async function* decompressed(
  request: Readable,
  decompressor: ReturnType<typeof createGunzip | typeof createInflate | typeof createBrotliDecompress>,
): AsyncGenerator<Uint8Array> {
  request.on("error", (error) => decompressor.destroy(error));
  try {
    yield* request.pipe(decompressor);
  } catch (error) {
    throw request.errored ? error : new ConnectError("the body does not decompress", Code.InvalidArgument);
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Splits bytes into consecutive JSON values, on lines of their own or not. Invalid JSON is passed on unchanged, for a
 * parser to refuse. `onTooLong` creates the error for a value of more than `maxBytes`.
 */
export async function* splitJson(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onTooLong: () => Error,
): AsyncGenerator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let pendingSize = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;

  const take = (last: Uint8Array): Uint8Array => {
    if (pendingSize + last.length > maxBytes) {
      throw onTooLong();
    }
    const value = pending.length === 0 ? last : Buffer.concat([...pending, last]);
    pending = [];
    pendingSize = 0;
    return value;
  };

  for await (const chunk of chunks) {
    let start = 0;
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      let ends = false;
      if (inString) {
        if (escaped) {
          escaped = false;
        } else if (byte === BACKSLASH) {
          escaped = true;
        } else if (byte === QUOTE) {
          inString = false;
          ends = depth === 0;
        }
      } else if (byte === QUOTE) {
        inString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        depth++;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth = Math.max(0, depth - 1);
        ends = depth === 0;
      } else {
        // A number or word at the top ends at white space.
        ends = depth === 0 && isWhiteSpace(byte);
      }
      if (ends) {
        const value = take(chunk.subarray(start, i + 1));
        start = i + 1;
        if (!isBlank(value)) {
          yield value;
        }
      }
    }
    if (start < chunk.length) {
      pending.push(chunk.subarray(start));
      pendingSize += chunk.length - start;
      if (pendingSize > maxBytes) {
        throw onTooLong();
      }
    }
  }
  const rest = take(new Uint8Array(0));
  if (!isBlank(rest)) {
    yield rest;
  }
}

function isWhiteSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every(isWhiteSpace);
}
