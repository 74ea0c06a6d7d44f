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
