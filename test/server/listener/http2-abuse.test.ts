import { describe, expect, it } from "vitest";
import { openSession, request } from "./support/h2-client.ts";
import {
  EMPTY_SETTINGS,
  END_HEADERS,
  END_STREAM,
  FRAME_TYPE,
  frame,
  GET_HEADER_BLOCK,
  PREFACE,
  parseFrames,
  SETTINGS_ACK,
} from "./support/h2-frames.ts";
import { RawClient } from "./support/raw-client.ts";
import { startListener } from "./support/start-listener.ts";

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const many = (count: number, make: (i: number) => Buffer) =>
  Buffer.concat(Array.from({ length: count }, (_, i) => make(i)));
const get = (streamId: number) => frame(FRAME_TYPE.headers, END_HEADERS | END_STREAM, streamId, GET_HEADER_BLOCK);
const openPost = frame(FRAME_TYPE.headers, END_HEADERS, 1, GET_HEADER_BLOCK);

describe("a flood ends its session, and nothing else", () => {
  it.each([
    [
      "rapid reset",
      many(3000, (i) => Buffer.concat([get(2 * i + 1), frame(FRAME_TYPE.rstStream, 0, 2 * i + 1, uint32(8))])),
    ],
    ["pings", many(3000, () => frame(FRAME_TYPE.ping, 0, 0, Buffer.alloc(8)))],
    ["settings", many(3000, () => frame(FRAME_TYPE.settings, 0, 0, Buffer.from([0, 3, 0, 0, 0, 100])))],
    [
      "a SETTINGS frame with many entries",
      frame(
        FRAME_TYPE.settings,
        0,
        0,
        many(1000, () => Buffer.from([0, 3, 0, 0, 0, 100])),
      ),
    ],
    ["empty DATA frames", Buffer.concat([openPost, many(3000, () => frame(FRAME_TYPE.data, 0, 1))])],
    [
      "CONTINUATION frames",
      Buffer.concat([
        frame(FRAME_TYPE.headers, END_STREAM, 1, GET_HEADER_BLOCK),
        many(3000, () => frame(FRAME_TYPE.continuation, 0, 1, Buffer.from([0x82]))),
      ]),
    ],
    ["streams above the limit", many(3000, (i) => frame(FRAME_TYPE.headers, END_HEADERS, 2 * i + 1, GET_HEADER_BLOCK))],
    ["a frame larger than allowed", frame(FRAME_TYPE.data, 0, 0, Buffer.alloc(100_000))],
    ["frames of no meaning", many(3000, (i) => frame(FRAME_TYPE.data, 0, 2 * i + 1, Buffer.alloc(10)))],
    ["bytes that are no frames", Buffer.alloc(100_000, 0xff)],
  ])("%s", async (_name, bytes) => {
    const { port, url, listener } = await startListener(undefined, { requestTimeoutMs: 0 });
    const client = await RawClient.connect(port);
    await client.write(Buffer.concat([PREFACE, EMPTY_SETTINGS, SETTINGS_ACK]));
    client.write(bytes);
    await client.untilEnd();
    await expect.poll(() => listener.connectionCounts()).toMatchObject({ http2: 0, http2Streams: 0 });
    const session = await openSession(url);
    expect((await request(session, { ":path": "/" })).status).toBe(200);
  });

  it("also when the flooder never reads", async () => {
    const { port, listener } = await startListener();
    const client = await RawClient.connect(port);
    client.socket.pause();
    client.write(Buffer.concat([PREFACE, EMPTY_SETTINGS, SETTINGS_ACK]));
    client.write(many(200_000, () => frame(FRAME_TYPE.ping, 0, 0, Buffer.alloc(8))));
    await expect.poll(() => listener.connectionCounts().http2, { timeout: 5000 }).toBe(0);
  });
});

it("a header bomb, small on the wire and large when decoded, is refused", async () => {
  const handled: string[] = [];
  const { port } = await startListener((req, res) => {
    handled.push(req.url ?? "");
    res.end();
  });
  const client = await RawClient.connect(port);
  await client.write(Buffer.concat([PREFACE, EMPTY_SETTINGS, SETTINGS_ACK]));
  // A field of 3,900 bytes goes into the dynamic table (0x40, name "x"), then one byte (0xbe) repeats it.
  const value = Buffer.alloc(3900, 0x79);
  const length = Buffer.from([0x7f, 0x80 | ((value.length - 127) & 0x7f), (value.length - 127) >> 7]);
  const bomb = Buffer.concat([
    GET_HEADER_BLOCK,
    Buffer.from([0x40, 0x01, 0x78]),
    length,
    value,
    Buffer.alloc(100, 0xbe),
  ]);
  await client.write(frame(FRAME_TYPE.headers, END_HEADERS | END_STREAM, 1, bomb));
  await client.write(frame(FRAME_TYPE.ping, 0, 0, Buffer.from("answered")));
  await client.until("answered");
  expect(parseFrames(client.received).some((f) => f.type === FRAME_TYPE.rstStream && f.streamId === 1)).toBe(true);
  expect(handled).toEqual([]);
});

it("many header fields are refused", async () => {
  const { url } = await startListener();
  const session = await openSession(url);
  const fields = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x-${i}`, "y"]));
  await expect(request(session, { ":path": "/", ...fields })).rejects.toThrow();
  expect((await request(session, { ":path": "/next" })).status).toBe(200);
});

it("sends its limits to HTTP/2 clients", async () => {
  const { url } = await startListener(undefined, { maxHeaderBytes: 4096, http2: { maxConcurrentStreams: 7 } });
  const session = await openSession(url);
  await request(session, { ":path": "/" });
  expect(session.remoteSettings).toMatchObject({ maxConcurrentStreams: 7, maxHeaderListSize: 4096 });
});
