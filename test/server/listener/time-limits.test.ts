import { describe, expect, it } from "vitest";
import type { ListenerHandler } from "../../../src/server/listener/index.ts";
import { openSession, request } from "./support/h2-client.ts";
import {
  EMPTY_SETTINGS,
  FRAME_TYPE,
  frame,
  GET_HEADER_BLOCK,
  PREFACE,
  parseFrames,
  SETTINGS_ACK,
} from "./support/h2-frames.ts";
import { RawClient } from "./support/raw-client.ts";
import { echo, startListener } from "./support/start-listener.ts";

const SHORT = {
  firstByteTimeoutMs: 100,
  headersTimeoutMs: 100,
  requestTimeoutMs: 150,
  keepAliveTimeoutMs: 100,
  http2IdleTimeoutMs: 150,
};

describe("connections that make no progress are closed", () => {
  it.each([
    ["silence", ""],
    ["one letter of a preface", "P"],
    ["half a preface", "PRI * HTTP/2.0\r\n\r\n"],
    ["a preface without its last byte", PREFACE.toString("latin1", 0, 23)],
    ["a preface and no SETTINGS", PREFACE.toString("latin1")],
    ["a preface and SETTINGS, ours never acknowledged", Buffer.concat([PREFACE, EMPTY_SETTINGS]).toString("latin1")],
    ["half a SETTINGS frame", Buffer.concat([PREFACE, EMPTY_SETTINGS.subarray(0, 5)]).toString("latin1")],
  ])("%s", async (_name, bytes) => {
    const { port } = await startListener(undefined, SHORT);
    const client = await RawClient.connect(port);
    await client.write(bytes);
    expect(await client.untilEnd()).not.toContain("HTTP/1.1");
  });

  it.each([
    ["half a request line", "GET /"],
    ["half a header", "GET / HTTP/1.1\r\nhost: a\r\nx-half: "],
    ["half a body", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf"],
    ["half a chunk", "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n5\r\nha"],
  ])("%s, with an answer of 408", async (_name, bytes) => {
    const { port, listener } = await startListener(undefined, SHORT);
    const client = await RawClient.connect(port);
    await client.write(bytes);
    const answer = await client.untilEnd();
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('{"code":"TIMEOUT",');
    client.socket.end();
    await expect.poll(() => listener.connectionCounts().http1).toBe(0);
  });

  it("a header that trickles in never resets its limit", async () => {
    const { port } = await startListener(undefined, SHORT);
    const client = await RawClient.connect(port);
    await client.write("GET / HTTP/1.1\r\n");
    const trickle = setInterval(() => client.write("x: y\r\n"), 10);
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(trickle);
  });

  it("an HTTP/1.1 connection with no further request", async () => {
    const { port } = await startListener(undefined, SHORT);
    const client = await RawClient.connect(port);
    await client.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    expect(await client.untilEnd()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("an HTTP/2 session with no stream gets GOAWAY", async () => {
    const { url } = await startListener(undefined, { ...SHORT, headersTimeoutMs: 30_000, requestTimeoutMs: 30_000 });
    const session = await openSession(url);
    const goaway = new Promise((resolve) => session.once("goaway", resolve));
    await request(session, { ":path": "/" });
    expect(await goaway).toBe(0);
    await new Promise<void>((resolve) => (session.destroyed ? resolve() : session.once("close", resolve)));
  });

  it.each([
    ["pings", [] as Buffer[], frame(FRAME_TYPE.ping, 0, 0, Buffer.alloc(8))],
    ["half a header, and then nothing", [frame(FRAME_TYPE.headers, 0, 1, GET_HEADER_BLOCK)], undefined],
  ])("an HTTP/2 session with only %s, though the peer never ends it", async (_name, frames, repeated) => {
    const { port, listener } = await startListener(undefined, SHORT);
    const client = await RawClient.connect(port);
    await client.write(Buffer.concat([PREFACE, EMPTY_SETTINGS, SETTINGS_ACK, ...frames]));
    const repeat = setInterval(() => repeated && client.write(repeated), 20);
    const sent = parseFrames(await client.untilEnd());
    clearInterval(repeat);
    expect(sent.some((f) => f.type === FRAME_TYPE.goaway)).toBe(true);
    await expect.poll(() => listener.connectionCounts().http2).toBe(0);
  });

  it("an HTTP/2 stream with half a body is cancelled, others continue", async () => {
    const { url } = await startListener(undefined, { ...SHORT, http2IdleTimeoutMs: 60_000 });
    const session = await openSession(url);
    const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
    stream.on("error", () => {});
    stream.write("half");
    await new Promise<void>((resolve) => stream.once("close", resolve));
    expect(stream.rstCode).toBe(8);
    expect((await request(session, { ":path": "/next" })).body).toBe("GET /next 2 ");
  });
});

it("the limits of receiving do not limit a response", async () => {
  const { url } = await startListener((req, res) => {
    req.resume();
    res.writeHead(200);
    res.write("a");
    setTimeout(() => res.end("b"), 500);
  }, SHORT);
  expect(await (await fetch(url, { method: "POST", body: "x" })).text()).toBe("ab");
  const session = await openSession(url);
  expect((await request(session, { ":method": "POST", ":path": "/" }, "x")).body).toBe("ab");
});

describe("a response that is not read", () => {
  // More than the system keeps for a connection.
  const piece = Buffer.alloc(1024 * 1024, "x");
  const PIECES = 64;
  const large: ListenerHandler = (_req, res) => {
    res.writeHead(200);
    for (let i = 0; i < PIECES; i++) {
      res.write(piece);
    }
    res.end();
  };

  it("ends an HTTP/1.1 connection", async () => {
    const { port, listener } = await startListener(large, { responseStallTimeoutMs: 100 });
    const client = await RawClient.connect(port);
    client.socket.pause();
    await client.write("GET / HTTP/1.1\r\nhost: a\r\n\r\n");
    await expect.poll(() => listener.connectionCounts().http1, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => listener.connectionCounts().http1, { timeout: 30_000 }).toBe(0);
  });

  it("is cancelled in HTTP/2, and others of its session continue", async () => {
    const { url, listener } = await startListener(
      (req, res) => (req.url === "/large" ? large(req, res) : echo(req, res)),
      { responseStallTimeoutMs: 100 },
    );
    const session = await openSession(url);
    const stream = session.request({ ":path": "/large" });
    stream.on("error", () => {});
    // Its data is never asked for, so that its window is full soon.
    await new Promise<void>((resolve) => stream.once("close", resolve));
    expect(stream.rstCode).toBe(8);
    expect((await request(session, { ":path": "/next" })).body).toBe("GET /next 2 ");
    await expect.poll(() => listener.connectionCounts().http2Streams).toBe(0);
  });

  it("does not count while there is nothing to read, nor while it is read", async () => {
    const { url } = await startListener(
      (_req, res) => {
        res.writeHead(200);
        res.write("a");
        setTimeout(() => res.write(piece), 2_500);
        setTimeout(() => res.end("b"), 2_600);
      },
      { responseStallTimeoutMs: 1_000 },
    );
    expect((await (await fetch(url)).text()).length).toBe(piece.length + 2);
    const session = await openSession(url);
    expect((await request(session, { ":path": "/" })).body.length).toBe(piece.length + 2);
  });
});
