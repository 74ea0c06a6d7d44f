import type { IncomingMessage } from "node:http";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { bodyTooLarge, HttpError } from "../errors/http-error.ts";
import { isJsonType } from "./bind-request.ts";
import { splitJson } from "./split-json.ts";

const LINES = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\s*(?:;|$)/i;

/**
 * The bodies of the messages in a request to a client stream: JSON values one after another, or with `raw` the
 * chunks as they arrive. Throws an HttpError for other content types and encodings, and for a value above `maxBytes`.
 */
export function readMessageStream(request: IncomingMessage, raw: boolean, maxBytes: number): AsyncIterable<Uint8Array> {
  const chunks = decode(request);
  if (raw) {
    return chunks;
  }
  const contentType = request.headers["content-type"];
  if (contentType !== undefined && !isJsonType(contentType) && !LINES.test(contentType)) {
    throw new HttpError(415, Code.InvalidArgument, `content type ${contentType} is not supported; send lines of JSON`, {
      accept: "application/x-ndjson, application/json",
    });
  }
  return splitJson(chunks, maxBytes, () => bodyTooLarge(maxBytes));
}

function decode(request: IncomingMessage): AsyncIterable<Uint8Array> {
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
  request: IncomingMessage,
  decompressor: ReturnType<typeof createGunzip | typeof createInflate | typeof createBrotliDecompress>,
): AsyncGenerator<Uint8Array> {
  request.on("error", (error) => decompressor.destroy(error));
  try {
    yield* request.pipe(decompressor);
  } catch (error) {
    throw request.errored ? error : new ConnectError("the body does not decompress", Code.InvalidArgument);
  }
}
