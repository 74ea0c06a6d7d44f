const LINE_FEED = 0x0a;

/**
 * The lines of a stream of bytes, without the line feeds. A line longer than `maxBytes` is given as undefined and never
 * held, so that memory stays bounded whatever comes in.
 */
export async function* lines(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  const hold = (part: Buffer) => {
    bytes += part.length;
    if (bytes > maxBytes) parts = [];
    else if (part.length > 0) parts.push(part);
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
  if (bytes > 0) yield take();
}
