import type { IncomingMessage } from "node:http";
import { Code, ConnectError } from "@connectrpc/connect";
import { type BodyRoom, endlessRoom } from "./body-room.ts";
import { bodyTooLarge } from "./body-too-large.ts";
import { decompress } from "./decompress.ts";
import { leaveUnread } from "./leave-unread.ts";

const EMPTY = new Uint8Array(0);

/**
 * Reads the whole body of a request and undoes its Content-Encoding; empty if it has none. Throws a 413 refusal for
 * more than `maxBytes`, before or after decompression, and what `room` throws.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  room: BodyRoom = endlessRoom,
): Promise<Uint8Array> {
  const length = request.headers["content-length"];
  // An HTTP/2 request can have a body without saying so, but its stream tells that it ended.
  if (length === "0" || request.readableEnded || (length === undefined && !mayHaveBody(request))) {
    return EMPTY;
  }
  if (request.destroyed) {
    throw clientGone();
  }
  if (Number(length) > maxBytes) {
    discard(request);
    throw bodyTooLarge(maxBytes);
  }
  try {
    room.check(Number(length ?? 0));
  } catch (error) {
    discard(request);
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

/** The rest flows away unread, so that the client gets to read the answer. */
function discard(request: IncomingMessage): void {
  request.resume();
  leaveUnread(request);
}

function mayHaveBody(request: IncomingMessage): boolean {
  return request.httpVersionMajor >= 2 || request.headers["transfer-encoding"] !== undefined;
}

function clientGone(): ConnectError {
  return new ConnectError("the client closed the connection", Code.Canceled);
}

/** By events, because an async iterator takes a tick of the event loop for each chunk. */
function collect(request: IncomingMessage, maxBytes: number, room: BodyRoom): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (): void => {
      request.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose);
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.length;
      chunks.push(chunk);
      try {
        if (size > maxBytes) throw bodyTooLarge(maxBytes);
        room.take(chunk.length);
      } catch (error) {
        finish();
        discard(request);
        reject(error);
      }
    };
    const onEnd = (): void => {
      finish();
      resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size));
    };
    const onClose = (): void => {
      finish();
      request.on("error", () => {
        // The connection is gone, which the rejection tells already.
      });
      reject(clientGone());
    };
    request.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose);
  });
}
