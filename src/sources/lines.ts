import { StringDecoder } from "node:string_decoder";

/**
 * The lines of a stream of UTF-8 bytes, without their ends. A line longer than `maxChars` is given as undefined and its
 * text is never held, so that memory stays bounded whatever comes in.
 */
export async function* lines(stream: AsyncIterable<Uint8Array>, maxChars: number): AsyncGenerator<string | undefined> {
  const decoder = new StringDecoder("utf8");
  let pending = "";
  let tooLong = false;
  for await (const chunk of stream) {
    let text = pending + decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n")) {
      const line = text.slice(0, end);
      yield tooLong || line.length > maxChars ? undefined : line.replace(/\r$/, "");
      tooLong = false;
      text = text.slice(end + 1);
    }
    tooLong ||= text.length > maxChars;
    pending = tooLong ? "" : text;
  }
  const last = pending + decoder.end();
  if (tooLong) yield undefined;
  else if (last !== "") yield last;
}
