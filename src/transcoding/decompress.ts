import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { type BodyRoom, endlessRoom } from "./body-room.ts";
import { bodyTooLarge } from "./body-too-large.ts";
import { Refusal } from "./refusal.ts";

type Decompress = (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const ENCODINGS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** Nobody compresses twice, but someone who wants to fill the memory. */
const MAX_ENCODINGS = 2;

/**
 * Undoes the encodings of a Content-Encoding header. Throws a 415 refusal for one that is unknown, a 413 refusal if
 * the result is larger than `maxBytes`, INVALID_ARGUMENT for data that does not decompress, and what `room` throws. The
 * room of the data must have been taken; that of the result is taken in its place.
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
    throw new Refusal(415, Code.InvalidArgument, `content encoding ${contentEncoding} is not supported`, {
      "accept-encoding": "gzip, deflate, br",
    });
  }
  let result = data;
  for (const step of steps.reverse() as Decompress[]) {
    // How much comes out is known when it is out.
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
