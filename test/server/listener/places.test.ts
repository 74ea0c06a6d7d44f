import { once } from "node:events";
import { constants } from "node:http2";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { ConnectionPlaces, ResetLimit } from "../../../src/server/listener/connection-places.ts";
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
import { selfSignedCertificate } from "./support/self-signed-certificate.ts";
import { echo, startListener } from "./support/start-listener.ts";

/** The loopback network is a /8: each of its addresses is a client of its own. Connects from one of them. */
async function connectFrom(localAddress: string, port: number): Promise<RawClient> {
  const socket = connect({ port, host: "127.0.0.1", localAddress, allowHalfOpen: true });
  await once(socket, "connect");
  return RawClient.over(socket);
}

const GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const silentHttp2 = Buffer.concat([PREFACE, EMPTY_SETTINGS, SETTINGS_ACK]);

it.each([
  ["says nothing", ""],
  ["is silent in HTTP/2", silentHttp2],
  ["is in the middle of a header", "GET / HTTP/1.1\r\nHost:"],
  ["waits between requests", GET],
])("A network with its share loses the connection that is idle the longest, where it %s", async (_how, bytes) => {
  const { port, listener } = await startListener(undefined, { maxConnectionsPerNetwork: 3 });
  const clients: RawClient[] = [];
  for (let i = 0; i < 3; i++) {
    const client = await connectFrom("127.0.0.2", port);
    await client.write(bytes);
    if (bytes === GET) {
      await client.until("GET / 1");
    }
    clients.push(client);
  }
  const kinds = () => listener.connectionCounts();
  await expect.poll(() => kinds().undecided + kinds().http1 + kinds().http2).toBe(3);
  const other = await connectFrom("127.0.0.3", port);
  const next = await connectFrom("127.0.0.2", port);
  await clients[0]?.untilEnd();
  for (const client of [other, next]) {
    await client.write(GET);
    await client.until("GET / 1");
  }
  expect(clients.slice(1).map(({ socket }) => socket.readableEnded || socket.destroyed)).toEqual([false, false]);
  expect(kinds().undecided + kinds().http1 + kinds().http2).toBe(4);
});

it("A full port ends the connection that has been idle the longest, over HTTP/2 with GOAWAY", async () => {
  const { port } = await startListener(undefined, { maxConnections: 2 });
  const http2 = await connectFrom("127.0.0.2", port);
  await http2.write(silentHttp2);
  await expect.poll(() => parseFrames(http2.received).some(({ type, flags }) => type === 4 && flags === 1)).toBe(true);
  const first = await connectFrom("127.0.0.3", port);
  const second = await connectFrom("127.0.0.4", port);
  expect(parseFrames(await http2.untilEnd()).at(-1)?.type).toBe(FRAME_TYPE.goaway);
  for (const client of [first, second]) {
    await client.write(GET);
    await client.until("GET / 1");
  }
});

it("A connection with a request in flight is never ended for another", async () => {
  let inFlight = 0;
  const { port, url } = await startListener(
    (req, res) => {
      inFlight += 1;
      echo(req, res);
    },
    { maxConnectionsPerNetwork: 2 },
  );
  const session = await openSession(url);
  const stream = session.request({ ":path": "/", ":method": "POST" });
  stream.write("a");
  const http1 = await RawClient.connect(port);
  await http1.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\na");
  await expect.poll(() => inFlight).toBe(2);
  const third = await RawClient.connect(port);
  await third.write(GET);
  expect(await third.untilEnd()).toBe("");
  stream.end("b");
  stream.setEncoding("utf8");
  expect((await stream.toArray()).join("")).toBe("POST / 2 ab");
  await http1.write("b");
  expect(await http1.until("POST / 1 ab")).toContain("200 OK");
});

it("With TLS a silent connection makes room too, during its handshake and after it", async () => {
  const { port, url } = await startListener(undefined, { tls: selfSignedCertificate(), maxConnections: 2 });
  const options = { rejectUnauthorized: false };
  const handshaking = await RawClient.connect(port);
  const idle = await openSession(url, options);
  expect((await request(idle, { ":path": "/" })).status).toBe(200);
  const gone = once(idle, "close");
  const next = await openSession(url, options);
  await handshaking.untilEnd();
  expect((await request(next, { ":path": "/" })).status).toBe(200);
  const last = await openSession(url, options);
  await gone;
  expect((await request(last, { ":path": "/" })).status).toBe(200);
});

it("Peers without a network count only against the limit of all connections", async () => {
  const { port, listener } = await startListener(undefined, {
    maxConnectionsPerNetwork: 1,
    networkOf: (address) => (address === "127.0.0.2" ? undefined : address),
  });
  const clients = [await connectFrom("127.0.0.2", port), await connectFrom("127.0.0.2", port)];
  for (const client of clients) {
    await client.write(GET);
    expect(await client.until("GET / 1")).toContain("200 OK");
  }
  expect(listener.connectionCounts().http1).toBe(2);
});

it("All places are free again when everybody has left", () => {
  const places = new ConnectionPlaces({ most: 3, mostPerNetwork: 2 });
  const ended: string[] = [];
  const take = (network: string, name: string) => places.take(network, () => ended.push(name));
  const [a, b] = [take("x", "a"), take("x", "b")];
  a?.busy();
  b?.busy();
  expect(take("x", "c")).toBeUndefined();
  const d = take("y", "d");
  expect(take("x", "e")).toBeUndefined();
  expect(take("y", "f")).toBeDefined();
  expect(ended).toEqual(["d"]);
  for (const place of [a, b, d, d]) {
    place?.leave();
  }
  // Gone: it is not idle again, whatever ends late.
  a?.idle();
  expect(["g", "h"].map((name) => take("x", name) !== undefined)).toEqual([true, true]);
  expect(ended).toEqual(["d"]);
});

const reset = (streamId: number) =>
  Buffer.concat([
    frame(FRAME_TYPE.headers, END_HEADERS | END_STREAM, streamId, GET_HEADER_BLOCK),
    frame(FRAME_TYPE.rstStream, 0, streamId, Buffer.from([0, 0, 0, 8])),
  ]);
const resets = (count: number) =>
  Buffer.concat([silentHttp2, ...Array.from({ length: count }, (_, i) => reset(2 * i + 1))]);
const goneWith = (received: string) =>
  parseFrames(received)
    .filter(({ type }) => type === FRAME_TYPE.goaway)
    .map(({ payload }) => payload.readUInt32BE(4));

it("Resets of a network are bounded over all its sessions, and HTTP/1.1 and other networks are not refused", async () => {
  let handled = 0;
  const { port } = await startListener(
    (_req, res) => {
      handled += 1;
      res.end("answered");
    },
    { http2: { resetsPerNetwork: 100 } },
  );
  const idle = await connectFrom("127.0.0.2", port);
  await idle.write(silentHttp2);
  for (let i = 0; i < 2; i++) {
    const client = await connectFrom("127.0.0.2", port);
    await client.write(resets(70));
    if (i === 1) {
      expect(goneWith(await client.untilEnd())).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM]);
    }
  }
  // Nobody waits for what was reset in the packet that asked for it.
  expect(handled).toBe(0);
  const refused = await connectFrom("127.0.0.2", port);
  await refused.write(silentHttp2);
  expect(goneWith(await refused.untilEnd())).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM]);
  await idle.write(reset(1));
  expect(goneWith(await idle.untilEnd())).toEqual([constants.NGHTTP2_ENHANCE_YOUR_CALM]);
  for (const address of ["127.0.0.2", "127.0.0.3"]) {
    const http1 = await connectFrom(address, port);
    await http1.write(GET);
    await http1.until("answered");
  }
  const other = await connectFrom("127.0.0.3", port);
  await other.write(Buffer.concat([silentHttp2, frame(FRAME_TYPE.headers, 5, 1, GET_HEADER_BLOCK)]));
  await other.until("answered");
});

it("A network is refused until the end of the window after the one with its resets", () => {
  let now = 5;
  const limit = new ResetLimit(2, () => now);
  const count = (times: number) => {
    for (let i = 0; i < times; i++) {
      limit.count("x");
    }
  };
  count(2);
  expect(limit.isRefused("x")).toBe(false);
  now += 9_999;
  count(1);
  expect([limit.isRefused("x"), limit.isRefused("y")]).toEqual([true, false]);
  now += 1;
  expect(limit.isRefused("x")).toBe(true);
  now += 10_000;
  expect(limit.isRefused("x")).toBe(false);
  count(3);
  // Nobody asked for long: what happened then is over.
  now += 60_000;
  expect(limit.isRefused("x")).toBe(false);
});
