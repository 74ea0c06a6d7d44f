import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type ClientHttp2Session, connect, type ServerHttp2Stream } from "node:http2";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Health } from "../../../gen/health/v1/health_pb.ts";
import { startApp } from "../../support/service/start-app.ts";

const MIB = 1024 * 1024;
const PLACES = 3;
const { url } = await startApp({
  records: [],
  isUnlimited: false,
  env: { MODELSCOUT_BURST: "off", MODELSCOUT_KEYLESS_STREAMS: `${PLACES}/1000` },
});

const check = "/grpc.health.v1.Health/Check";
const watch = "/grpc.health.v1.Health/Watch";
const reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
const recommend = "/modelscout.v1.RecommendationService/Recommend";
/** Callers without a key do not have it. */
const batch = "/modelscout.v1.RecommendationService/BatchRecommend";

/** Streams of HTTP/2 that the service was sent during a test. Node keeps them, with their bodies, until they are destroyed. */
let streams: ServerHttp2Stream[] = [];
const note = (message: unknown) => void streams.push((message as { stream: ServerHttp2Stream }).stream);
beforeEach(() => {
  streams = [];
  subscribe("http2.server.stream.created", note);
});
afterEach(() => unsubscribe("http2.server.stream.created", note));
const kept = () => streams.filter(({ destroyed }) => !destroyed).length;

/** A connection that stays open until the test ends. */
async function openSession(): Promise<ClientHttp2Session> {
  const session = connect(url).on("error", () => {});
  onTestFinished(() => session.destroy());
  await once(session, "remoteSettings");
  return session;
}

interface Upload {
  path: string;
  type: string;
  headers?: Record<string, string>;
  /** The parts of the body, each sent when the one before is on its way. */
  parts: readonly Uint8Array[];
  /** Whether the client says that the body is complete. */
  ends?: boolean;
}

/** Sends a body. @returns the status of gRPC or HTTP, when the stream is over for the client. */
async function upload(session: ClientHttp2Session, { path, type, headers, parts, ends = false }: Upload) {
  const stream = session.request(
    { ":method": "POST", ":path": path, "content-type": type, te: "trailers", ...headers },
    { endStream: false },
  );
  let status: unknown;
  stream.on("response", (answer) => {
    status = answer["grpc-status"] ?? answer[":status"];
  });
  stream.on("trailers", (trailers) => {
    status = trailers["grpc-status"] ?? status;
  });
  stream.on("error", () => {}).resume();
  const closed = once(stream, "close");
  for (const part of parts) {
    if (!stream.write(part)) {
      await Promise.race([once(stream, "drain"), closed]);
    }
  }
  if (ends && !stream.closed) {
    stream.end();
  }
  await closed;
  return status;
}

/** The head of a message of so many bytes, as gRPC frames it. */
function frameOf(bytes: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes, 1);
  return head;
}
const mebibyte = [frameOf(MIB), ...Array<Buffer>(16).fill(Buffer.alloc(64 * 1024, " "))];
const grpcTooLarge = "8";
const grpcForbidden = "7";
const grpcUnknown = "12";

const tooLarge = [
  ["gRPC", check, "application/grpc", grpcTooLarge],
  ["gRPC", recommend, "application/grpc", grpcTooLarge],
  ["gRPC", watch, "application/grpc", grpcTooLarge],
  ["gRPC", reflection, "application/grpc", grpcTooLarge],
  ["gRPC-Web", recommend, "application/grpc-web+proto", 200],
  ["Connect", watch, "application/connect+json", 200],
  ["Connect", recommend, "application/json", 413],
  ["REST", "/models/recommend", "application/json", 413],
] as const;
const refusedUnread = [
  ["gRPC", batch, "application/grpc", grpcForbidden],
  ["gRPC", "/unknown.Service/Method", "application/grpc", grpcUnknown],
  ["gRPC-Web", batch, "application/grpc-web+proto", grpcForbidden],
  ["Connect", batch, "application/json", 403],
  ["REST", "/models/recommend:batch", "application/json", 403],
  ["REST", "/unknown", "application/json", 404],
] as const;

describe.each([
  ...tooLarge.map(([protocol, ...upload]) => [`A body above the limit, over ${protocol}`, ...upload] as const),
  ...refusedUnread.map(
    ([protocol, ...upload]) => [`A call refused before its body, over ${protocol}`, ...upload] as const,
  ),
])("%s to %s", (_what, path, type, status) => {
  it.each([
    ["complete", true],
    ["unfinished", false],
  ])("leaves nothing in memory while its connection is open: %s", async (_state, ends) => {
    const session = await openSession();
    const calls = Array.from({ length: PLACES }, () => upload(session, { path, type, parts: mebibyte, ends }));
    expect(await Promise.all(calls)).toEqual(Array(PLACES).fill(status));
    expect(streams).toHaveLength(PLACES);
    await expect.poll(kept, { timeout: 60_000 }).toBe(0);
  });
});

it.each(refusedUnread)(
  "A client whose uploads over %s to %s are refused goes on",
  async (_protocol, path, type, status) => {
    const session = await openSession();
    // In one part, which a client on Node keeps if it cannot send it: 10 MB of that, and it refuses all answers.
    const parts = [Buffer.concat(mebibyte)];
    for (let i = 0; i < 16; i++) {
      expect(await upload(session, { path, type, parts, ends: true })).toBe(status);
    }
    expect([session.closed, session.destroyed]).toEqual([false, false]);
  },
);

it("Refused bodies take no places of streams", async () => {
  const session = await openSession();
  for (let i = 0; i < PLACES; i++) {
    await upload(session, { path: watch, type: "application/grpc", parts: mebibyte, ends: true });
  }
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const health = createClient(Health, createGrpcTransport({ baseUrl: url }));
  const first = async () => {
    const messages = health.watch({}, { signal: leaving.signal })[Symbol.asyncIterator]();
    return (await messages.next()).value?.status;
  };
  await expect.poll(first, { timeout: 60_000 }).toBe(1);
});

it("A stream that is answered at its deadline leaves nothing of what comes later", async () => {
  const session = await openSession();
  // Its reader has asked for the next part by then, and takes one.
  const parts = Array<Buffer>(16).fill(Buffer.alloc(4096));
  const stream = session.request(
    {
      ":method": "POST",
      ":path": reflection,
      "content-type": "application/grpc",
      te: "trailers",
      "grpc-timeout": "100m",
    },
    { endStream: false },
  );
  const [trailers] = await once(stream.on("error", () => {}).resume(), "trailers");
  for (const part of parts) {
    stream.write(part);
  }
  expect(trailers["grpc-status"]).toBe("4");
  expect(streams).toHaveLength(1);
  await expect.poll(kept, { timeout: 60_000 }).toBe(0);
});
