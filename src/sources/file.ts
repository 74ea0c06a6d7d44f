import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { pipeline, type Readable, Transform } from "node:stream";
import { createGunzip } from "node:zlib";
import { OperatorError } from "../error.ts";
import { parseRecord, type SourceRecord } from "../inventory/index.ts";

const LINE_FEED = 0x0a;

/**
 * The lines of a stream of bytes, without line feeds. A line longer than `maxBytes` comes as undefined and is never
 * held, so that memory stays bounded for any input.
 */
export async function* lines(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const hold = (part: Buffer) => {
    bytes += part.length;
    if (bytes > maxBytes) {
      parts = [];
    } else if (part.length > 0) {
      parts.push(part);
    }
  };
  const take = (): Buffer | undefined => {
    const line = bytes > maxBytes ? undefined : Buffer.concat(parts, bytes);
    parts = [];
    bytes = 0;
    return line;
  };
  for await (const data of stream) {
    const chunk = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      hold(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    hold(chunk.subarray(start));
  }
  if (bytes > 0) {
    yield take();
  }
}

/** A line that is not a record. */
export interface SkippedLine {
  /** Counted from 1. */
  line: number;
  reason: string;
}

/** How a file is read. */
export interface ReadFileOptions {
  /** Called for every skipped line. */
  onSkip?: (skipped: SkippedLine) => void;
  /** Called with the number of bytes of the file read so far, compressed if the file is. */
  onBytes?: (bytes: number) => void;
}

// A model's facts with its card are shorter.
const MAX_LINE_BYTES = 2_000_000;

/**
 * The records of a file in the import format, one JSON object a line. `-` is standard input; a name ending in `.gz` is
 * decompressed. Reads in constant memory. Bad lines are reported to `onSkip` and left out.
 *
 * @throws errors of opening or decompressing the file, and an OperatorError for JSON that is not one object a line.
 */
export async function* readRecords(path: string, options: ReadFileOptions = {}): AsyncGenerator<SourceRecord> {
  const raw: Readable = path === "-" ? process.stdin : createReadStream(path);
  const stages: Transform[] = [byteCounter(options.onBytes), ...(path.endsWith(".gz") ? [createGunzip()] : [])];
  const unpacked = stages.at(-1) as Transform;
  // Destroys all streams when one fails or the reader stops; the reader gets the error from the last stream.
  pipeline([raw, ...stages], () => {});
  let number = 0;
  for await (const line of refusingOtherJson(lines(unpacked, MAX_LINE_BYTES))) {
    number++;
    const parsed = line === undefined ? { problem: `is longer than ${MAX_LINE_BYTES} bytes` } : parseLine(line);
    if (parsed === undefined) {
      continue;
    }
    if ("record" in parsed) {
      yield parsed.record;
    } else {
      options.onSkip?.({ line: number, reason: parsed.problem });
    }
  }
}

/**
 * The lines of a file, unless the first ones with content begin a list of objects, or an object over several lines.
 *
 * @throws OperatorError that says what converts the file.
 */
async function* refusingOtherJson(all: AsyncIterable<Buffer | undefined>): AsyncGenerator<Buffer | undefined> {
  let isDecided = false;
  /** The first line, if it is only a brace: a good file can have such a fault, so the next line decides. */
  let brace: Buffer | undefined;
  for await (const line of all) {
    const text: string = isDecided ? "" : (line?.toString("utf8").trim() ?? "too long");
    if (text === "{" && brace === undefined) {
      brace = line;
      continue;
    }
    const filter = brace === undefined ? /^\[\s*(?:\{|$)/.test(text) && "'.[]'" : text.startsWith('"') && ".";
    if (filter) {
      throw new OperatorError(
        `The file is JSON, but not JSON Lines, which has one object in each line; jq --compact-output ${filter} converts it`,
      );
    }
    if (brace !== undefined) {
      yield brace;
      brace = undefined;
      isDecided = true;
    }
    isDecided ||= text !== "";
    yield line;
  }
  if (brace !== undefined) {
    yield brace;
  }
}

function byteCounter(onBytes: ((bytes: number) => void) | undefined): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onBytes?.(bytes);
      done(null, chunk);
    },
  });
}

/** The record of a line, or what is wrong with it; undefined for a blank line. */
function parseLine(line: Buffer): ReturnType<typeof parseRecord> | undefined {
  if (!isUtf8(line)) {
    return { problem: "is not UTF-8" };
  }
  // trim() also removes a byte order mark.
  const text = line.toString("utf8").trim();
  if (text === "") {
    return undefined;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `is not JSON: ${(error as Error).message}` };
  }
  return parseRecord(value);
}
