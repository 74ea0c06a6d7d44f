/** A value of a GGUF header that this keeps. Lists of texts and very long lists are left out. */
export type GgufValue = number | boolean | string | readonly number[];

/** The types of values (`gguf_metadata_value_type` in GGUF's specification). */
const TEXT = 8;
const LIST = 9;
const readers: Readonly<
  Record<number, readonly [bytes: number, read: (from: Buffer, at: number) => number | boolean]>
> = {
  0: [1, (from, at) => from.readUInt8(at)],
  1: [1, (from, at) => from.readInt8(at)],
  2: [2, (from, at) => from.readUInt16LE(at)],
  3: [2, (from, at) => from.readInt16LE(at)],
  4: [4, (from, at) => from.readUInt32LE(at)],
  5: [4, (from, at) => from.readInt32LE(at)],
  6: [4, (from, at) => from.readFloatLE(at)],
  7: [1, (from, at) => from.readUInt8(at) !== 0],
  10: [8, (from, at) => Number(from.readBigUInt64LE(at))],
  11: [8, (from, at) => Number(from.readBigInt64LE(at))],
  12: [8, (from, at) => from.readDoubleLE(at)],
};

const MAGIC = "GGUF";
/** Version 1 has shorter lengths and is from before August 2023. Files in big-endian order read as other versions. */
const VERSIONS: ReadonlySet<number> = new Set([2, 3]);
/** Lists with a value for each layer are shorter. */
const LONGEST_LIST = 4_096;
/** The vocabulary takes megabytes. Writers put it after the keys of the architecture, so nothing is read from it on. */
const VOCABULARY = "tokenizer.";

/**
 * Reads the keys of a GGUF header from the beginning of a file, up to those of the vocabulary. Untrusted bytes: every
 * length is checked against the bytes that are there, and each byte is looked at once.
 *
 * @returns undefined if the bytes are not such a header, or if they end before the vocabulary and before the header's
 * end.
 */
export function readGgufHeader(bytes: Buffer): ReadonlyMap<string, GgufValue> | undefined {
  try {
    return readKeys(bytes);
  } catch (error) {
    // Buffer throws this for a read beyond the end.
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
}

function readKeys(bytes: Buffer): ReadonlyMap<string, GgufValue> | undefined {
  if (bytes.toString("latin1", 0, 4) !== MAGIC || !VERSIONS.has(bytes.readUInt32LE(4))) {
    return undefined;
  }
  const count = Number(bytes.readBigUInt64LE(16));
  const keys = new Map<string, GgufValue>();
  let at = 24;
  for (let index = 0; index < count; index++) {
    const key = textAt(bytes, at);
    if (key.text.startsWith(VOCABULARY)) {
      return keys;
    }
    const read = valueAt(bytes, key.end + 4, bytes.readUInt32LE(key.end));
    if (read === undefined) {
      return undefined;
    }
    if (read.value !== undefined) {
      keys.set(key.text, read.value);
    }
    at = read.end;
  }
  return at > bytes.length ? undefined : keys;
}

/** A value and where it ends. Undefined for a type that does not exist, and for lists of lists, which no key has. */
function valueAt(bytes: Buffer, at: number, type: number): { value?: GgufValue; end: number } | undefined {
  if (type === TEXT) {
    const { text, end } = textAt(bytes, at);
    return { value: text, end };
  }
  if (type !== LIST) {
    const reader = readers[type];
    return reader && { value: reader[1](bytes, at), end: at + reader[0] };
  }
  const element = bytes.readUInt32LE(at);
  const length = Number(bytes.readBigUInt64LE(at + 4));
  let end = at + 12;
  if (element === TEXT) {
    for (let index = 0; index < length; index++) {
      end += 8 + Number(bytes.readBigUInt64LE(end));
    }
    return { end };
  }
  const reader = readers[element];
  if (reader === undefined) {
    return undefined;
  }
  const [size, read] = reader;
  const start = end;
  end += length * size;
  return length > LONGEST_LIST || end > bytes.length
    ? { end }
    : { value: Array.from({ length }, (_, index) => Number(read(bytes, start + index * size))), end };
}

function textAt(bytes: Buffer, at: number): { text: string; end: number } {
  const start = at + 8;
  const end = start + Number(bytes.readBigUInt64LE(at));
  if (end > bytes.length) {
    throw new RangeError("a text continues beyond the end of the data");
  }
  return { text: bytes.toString("utf8", start, end), end };
}
