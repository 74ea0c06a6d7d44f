import { once } from "node:events";
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
} from "./support/h2-frames.ts";
import { RawClient } from "./support/raw-client.ts";
import { selfSignedCertificate } from "./support/self-signed-certificate.ts";
import { echo, startListener } from "./support/start-listener.ts";

const h2 = (...frames: Buffer[]) => Buffer.concat([PREFACE, EMPTY_SETTINGS, ...frames]);
const get = frame(FRAME_TYPE.headers, END_HEADERS | END_STREAM, 1, GET_HEADER_BLOCK);
const post = frame(FRAME_TYPE.headers, END_HEADERS, 1, GET_HEADER_BLOCK);

/** Vitest fails a run with an uncaught exception, so that these tests need no listener of their own for one. */
const STAGES: [string, string | Buffer][] = [
  ["before any byte", ""],
  ["in the preface", "PRI * H"],
  ["after the preface", PREFACE],
  ["in SETTINGS", h2().subarray(0, 30)],
  ["after SETTINGS", h2()],
  ["in HEADERS", h2(get).subarray(0, -3)],
  ["after a stream was opened", h2(get)],
  ["in the body of a stream", h2(post, frame(FRAME_TYPE.data, 0, 1, Buffer.alloc(100)))],
  ["in a request line", "GE"],
  ["in a header", "GET / HTTP/1.1\r\nhost:"],
  ["in a body", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nx"],
  ["after a request", "GET / HTTP/1.1\r\nhost: a\r\n\r\n"],
  ["after garbage", "\x00\x00\r\n\r\n"],
  ["after pipelined requests", "GET / HTTP/1.1\r\nhost: a\r\n\r\n".repeat(50)],
  ["after CONNECT", "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n"],
];

describe.each([
  ["reset", (client: RawClient) => client.socket.resetAndDestroy()],
  ["ended", (client: RawClient) => client.socket.end()],
])("connections %s", (_how, leave) => {
  it.each(STAGES)("%s leave nothing behind", async (_when, bytes) => {
    const { port, url, listener } = await startListener(echo);
    for (let i = 0; i < 20; i++) {
      const client = await RawClient.connect(port);
      const written = client.write(bytes);
      // Half of them before the server has read, half of them most likely after it.
      if (i % 2 === 0) {
        await written;
        await new Promise((resolve) => setImmediate(resolve));
      }
      leave(client);
    }
    await expect
      .poll(() => listener.connectionCounts(), { timeout: 5000 })
      .toEqual({ undecided: 0, http1: 0, http2: 0, http2Streams: 0 });
    expect((await fetch(url)).status).toBe(200);
  });
});

it("clients that leave in the middle of a long response are noticed", async () => {
  let closed = 0;
  const { port, url } = await startListener((_req, res) => {
    res.writeHead(200);
    const timer = setInterval(() => res.write("x".repeat(10_000)), 1);
    res.on("close", () => {
      clearInterval(timer);
      closed += 1;
    });
  });
  const client = await RawClient.connect(port);
  await client.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
  await client.until("xxx");
  client.socket.resetAndDestroy();
  const session = await openSession(url);
  const stream = session.request({ ":path": "/" });
  stream.on("error", () => {});
  await once(stream, "data");
  session.destroy();
  await expect.poll(() => closed).toBe(2);
});

it("broken TLS handshakes at every stage leave nothing behind", async () => {
  const { port, listener, url } = await startListener(echo, { tls: selfSignedCertificate() });
  const hello = Buffer.from("16030100050100000100", "hex");
  for (const bytes of ["", "\x16", hello, "GET / HTTP/1.1\r\nhost: a\r\n\r\n", PREFACE, Buffer.alloc(1000, 7)]) {
    for (const leave of ["resetAndDestroy", "end"] as const) {
      const client = await RawClient.connect(port);
      await client.write(bytes);
      client.socket[leave]();
    }
  }
  await expect.poll(() => listener.connectionCounts().undecided).toBe(0);
  const session = await openSession(url, { rejectUnauthorized: false });
  expect((await request(session, { ":path": "/" })).status).toBe(200);
});
