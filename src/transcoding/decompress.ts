import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
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
 * the result is larger than `maxBytes`, and INVALID_ARGUMENT for data that does not decompress.
 */
export async function decompress(data: Uint8Array, contentEncoding: string, maxBytes: number): Promise<Uint8Array> {
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
    try {
      result = await step(result, { maxOutputLength: maxBytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
        throw bodyTooLarge(maxBytes);
      }
      throw new ConnectError(`the body is not valid ${contentEncoding} data`, Code.InvalidArgument);
    }
  }
  return result;
}
