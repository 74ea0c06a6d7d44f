import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { bodyTooLarge, HttpError } from "../errors/http-error.ts";
import { type BodyRoom, endlessRoom } from "./body-room.ts";

/** The body of a request with the headers that describe it: Node's IncomingMessage, or a stream with headers. */
export interface BodyStream extends Readable {
  readonly headers: Pick<IncomingHttpHeaders, "content-length" | "content-encoding" | "transfer-encoding">;
  /** Undefined counts as 2. */
  readonly httpVersionMajor?: number;
}

type Decompress = (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const ENCODINGS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** Only an attacker compresses twice, to fill the memory. */
const MAX_ENCODINGS = 2;

/**
 * Undoes the encodings of a Content-Encoding header. Throws a 415 for an unknown one, a 413 for a result above
 * `maxBytes`, INVALID_ARGUMENT for data that does not decompress, and the errors of `room`. The caller must have taken
 * room for the data; it is replaced by room for the result.
 */
export async function decompress(
  data: Uint8Array,
  contentEncoding: string,
  maxBytes: number,
  room: BodyRoom = endlessRoom,
): Promise<Uint8Array> {
  const names = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  const steps = names.map((name) => ENCODINGS.get(name));
  if (names.length > MAX_ENCODINGS || steps.includes(undefined)) {
    throw new HttpError(415, Code.InvalidArgument, `content encoding ${contentEncoding} is not supported`, {
      "accept-encoding": "gzip, deflate, br",
    });
  }
  let result = data;
  for (const step of steps.reverse() as Decompress[]) {
    // The size of the result is only known afterwards.
    room.take(maxBytes);
    try {
      const before = result.length;
      result = await step(result, { maxOutputLength: maxBytes });
      room.give(before + maxBytes - result.length);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
        throw bodyTooLarge(maxBytes);
      }
      throw new ConnectError(`the body is not valid ${contentEncoding} data`, Code.InvalidArgument);
    }
  }
  return result;
}

const EMPTY = new Uint8Array(0);

/**
 * Reads the whole body of a request and undoes its Content-Encoding. Returns an empty array if there is no body. Throws
 * a 413 for more than `maxBytes`, before or after decompression, the errors of the room, and the reason of its deadline
 * if that aborts before the whole body has arrived. The rest of a refused body is discarded.
 *
 * @param room unused if there is no body.
 */
export async function readBody(request: BodyStream, maxBytes: number, room: BodyRoom): Promise<Uint8Array> {
  const length = request.headers["content-length"];
  // An HTTP/2 request may have a body without a header that says so; its stream shows whether it ended.
  if (length === "0" || request.readableEnded || (length === undefined && !mayHaveBody(request))) {
    return EMPTY;
  }
  if (request.destroyed) {
    throw clientGone();
  }
  if (Number(length) > maxBytes) {
    request.resume();
    throw bodyTooLarge(maxBytes);
  }
  try {
    room.deadline?.throwIfAborted();
    room.check(Number(length ?? 0));
  } catch (error) {
    request.resume();
    throw error;
  }
  try {
    const data = await collect(request, maxBytes, room);
    const encoding = request.headers["content-encoding"];
    return encoding === undefined || data.length === 0 ? data : await decompress(data, encoding, maxBytes, room);
  } catch (error) {
    room.leave();
    throw error;
  }
}

function mayHaveBody(request: BodyStream): boolean {
  return (request.httpVersionMajor ?? 2) >= 2 || request.headers["transfer-encoding"] !== undefined;
}

/** The error of a body whose client left before it was complete. */
export function clientGone(): ConnectError {
  return new ConnectError("the client closed the connection", Code.Canceled);
}

/** By events, because an async iterator takes a tick of the event loop for each chunk. */
function collect(request: Readable, maxBytes: number, room: BodyRoom): Promise<Uint8Array> {
  const { deadline } = room;
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (): void => {
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
      deadline?.removeEventListener("abort", onDeadline);
    };
    const refuse = (error: unknown): void => {
      finish();
      request.resume();
      reject(error);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      chunks.push(chunk);
      try {
        if (size > maxBytes) {
          throw bodyTooLarge(maxBytes);
        }
        room.take(chunk.length);
      } catch (error) {
        refuse(error);
      }
    };
    const onDeadline = (): void => refuse(deadline?.reason);
    const onEnd = (): void => {
      finish();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    };
    const onClose = (): void => {
      finish();
      request.on("error", () => {
        // The rejection already reports that the connection closed.
      });
      reject(clientGone());
    };
    request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
    deadline?.addEventListener("abort", onDeadline);
  });
}
