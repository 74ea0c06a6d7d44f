import { bodyTooLarge } from "../errors/http-error.ts";
import type { BodyRoom } from "./body-room.ts";
import { clientGone, decompress } from "./read-body.ts";

const EMPTY = new Uint8Array(0);

/**
 * Reads the whole body of a Fetch request, as readBody() does for a request of Node. A stream of Node around the body
 * would cost several times as much. The rest of a refused body is cancelled.
 */
export async function readFetchBody({ body, headers }: Request, maxBytes: number, room: BodyRoom): Promise<Uint8Array> {
  if (body === null) {
    return EMPTY;
  }
  const reader = body.getReader();
  try {
    const length = Number(headers.get("content-length") ?? 0);
    if (length > maxBytes) {
      throw bodyTooLarge(maxBytes);
    }
    room.deadline?.throwIfAborted();
    room.check(length);
    const data = await collect(reader, maxBytes, room);
    const encoding = headers.get("content-encoding");
    return encoding === null || data.length === 0 ? data : await decompress(data, encoding, maxBytes, room);
  } catch (error) {
    room.leave();
    // The error is already on its way to the client.
    reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
  room: BodyRoom,
): Promise<Uint8Array> {
  const { deadline } = room;
  // Ends a read that waits.
  const onDeadline = (): void => void reader.cancel().catch(() => undefined);
  deadline?.addEventListener("abort", onDeadline);
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw clientGone();
      });
      deadline?.throwIfAborted();
      if (done) {
        return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
      }
      size += value.length;
      if (size > maxBytes) {
        throw bodyTooLarge(maxBytes);
      }
      room.take(value.length);
      chunks.push(value);
    }
  } finally {
    deadline?.removeEventListener("abort", onDeadline);
  }
}
