import { connect as connectTcp } from "node:net";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { type DescMethod, type DescService, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServerReflection } from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { Health } from "../../../gen/health/v1/health_pb.ts";
import * as client from "../../../packages/client/src/index.ts";
import { type HttpAnswer, type HttpRequest, h2Client, sendHttp1 } from "../../support/clients/http.ts";
import { startApp } from "../../support/service/start-app.ts";
import { fuzz } from "./support/fuzz.ts";
import { damaged, json, messageJson, text } from "./support/inputs.ts";

const adminToken = "fuzz-".padEnd(40, "x");
const { url, port } = await startApp({
  env: {
    MODELSCOUT_ADMIN_TOKEN: adminToken,
    // Nothing is asked of the world outside.
    MODELSCOUT_HUB_URL: "http://127.0.0.1:1",
    MODELSCOUT_OLLAMA_URL: "http://127.0.0.1:1",
    MODELSCOUT_LOCALAI_URL: "http://127.0.0.1:1/index.yaml",
  },
  records: [
    { name: "acme/one", task_types: ["text-generation"], license: "mit", parameters: 7e9, languages: ["en", "de"] },
    { name: "acme/two", task_types: ["automatic-speech-recognition"], license: "apache-2.0", size_gb: 1.5 },
    { name: "acme/three", task_types: ["text-to-image"] },
  ],
});
const overHttp2 = h2Client(url);
const overHttp1 = (request: HttpRequest) => sendHttp1(url, request);

const services = (Object.values(client) as unknown[]).filter(
  (exported): exported is DescService => (exported as Partial<DescService>)?.kind === "service",
);
const methods = [...services, Health, ServerReflection]
  .flatMap((service): DescMethod[] => service.methods)
  // It reads from sources, which sources.test.ts has.
  .filter(({ name }) => name !== "SyncSource");

/** What an answer may never say. */
const inside = ["internal", "unknown"];
const INSIDE_STATUS = ["2", "13"];

/** Streams go on until somebody ends them; a call that is over by then is not changed by it. */
const SHORT_MS = 300;
const limit = (method: DescMethod, header: string) =>
  method.methodKind === "unary" ? {} : { [header]: header === "grpc-timeout" ? `${SHORT_MS}m` : String(SHORT_MS) };

/** Headers that some requests have. */
const odd = fc.record(
  {
    "x-request-id": fc.constantFrom("mine", "x".repeat(129), "a b"),
    accept: fc.constantFrom("*/*", "text/event-stream", "application/json", "nonsense"),
    "accept-encoding": fc.constantFrom("gzip", "br", "identity", "zip;q=2"),
    "x-api-key": fc.constantFrom("", "ms_live_x", "ms_live_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbb"),
    authorization: fc.constantFrom(`Bearer ${adminToken}`, "Bearer x", "Basic eDp5"),
    origin: fc.constantFrom("http://localhost:3000", "https://example.com", "null"),
    traceparent: fc.constantFrom("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "nonsense"),
    "if-none-match": fc.constantFrom("*", '"x"'),
    range: fc.constantFrom("bytes=0-0", "bytes=-1"),
  },
  { requiredKeys: [] },
);
/** Mostly none: what they lead to is another answer than that of the method. */
const oddHeaders = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: odd });
const method = fc.constantFrom(...methods);
const coding = fc.constantFrom(undefined, undefined, undefined, "gzip", "br", "deflate", "identity", "zip");

function encoded(bytes: Uint8Array, name: string | undefined): Uint8Array {
  if (name === "gzip") {
    return gzipSync(bytes);
  }
  return name === "br" ? brotliCompressSync(bytes) : bytes;
}

/** A message as Protobuf has it; anything where it cannot be one. */
function binary(described: DescMethod, value: unknown): Uint8Array {
  try {
    return toBinary(described.input, fromJson(described.input, value as JsonValue, { ignoreUnknownFields: true }));
  } catch {
    return Buffer.from(JSON.stringify(value));
  }
}

const jsonBytes = (value: fc.Arbitrary<unknown>) =>
  damaged(fc.oneof(value, json).map((one) => Buffer.from(JSON.stringify(one) ?? "")));

/** A call of a method with what it takes, as JSON; whole, or not quite. */
const jsonCall = method.chain((called) =>
  fc.record({
    method: fc.constant(called),
    body: fc.oneof(
      messageJson(called.input).map((one) => Buffer.from(JSON.stringify(one))),
      jsonBytes(messageJson(called.input)),
    ),
  }),
);
/** The same as Protobuf. */
const binaryCall = method.chain((called) => {
  const message = messageJson(called.input).map((value) => binary(called, value));
  return fc.record({
    method: fc.constant(called),
    body: fc.oneof(
      message.map((bytes) => Buffer.from(bytes)),
      damaged(message),
    ),
  });
});
const pathOf = ({ parent, name }: DescMethod) => `/${parent.typeName}/${name}`;

function expectReceived(answer: HttpAnswer, isConnectStream = false): void {
  expect(answer.status, answer.text).not.toBe(500);
  expect(answer.status, answer.text).not.toBe(502);
  const { "content-type": type = "" } = answer.headers;
  const grpcStatus = answer.trailers?.["grpc-status"] ?? String(answer.headers["grpc-status"] ?? "");
  expect(INSIDE_STATUS, answer.trailers?.["grpc-message"]).not.toContain(grpcStatus);
  if (isConnectStream) {
    for (const code of inside) {
      expect(answer.text).not.toContain(`"code":"${code}"`);
    }
  }
  if (answer.status >= 400 && String(type).startsWith("application/json") && answer.text !== "") {
    const received = JSON.parse(plain(answer)) as { code?: string; error?: { code: number; status: string } };
    const code = received.error?.status ?? received.code ?? "";
    expect(code, answer.text).toMatch(/^\w+$/);
    expect(inside).not.toContain(code.toLowerCase());
  }
}

/** The text of an answer, which some callers asked to be compressed. */
function plain({ headers, bytes }: HttpAnswer): string {
  if (headers["content-encoding"] === "gzip") {
    return gunzipSync(bytes).toString();
  }
  return (headers["content-encoding"] === "br" ? brotliDecompressSync(bytes) : bytes).toString();
}

describe("Whatever is sent, the service answers and reveals nothing internal", () => {
  it("over REST", async () => {
    const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const places = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((verb) => ({ path, verb: verb.toUpperCase() })),
    );
    const segment = fc.oneof(
      text.map((one) => encodeURIComponent(one.toWellFormed())),
      fc.constantFrom("acme%2Fone", "acme/one", "%ZZ", "%C0%AF", "%00", "..", ""),
    );
    const names = fc.constantFrom(
      "q",
      "top_k",
      "topK",
      "max_size_gb",
      "page_size",
      "page_token",
      "license",
      "x",
      "requests[0].x",
    );
    const query = fc.array(fc.tuple(names, segment), { maxLength: 4 });
    const request = fc.record({
      place: fc.constantFrom(...places),
      verb: fc.oneof(
        { weight: 6, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS") },
      ),
      segments: fc.array(segment, { minLength: 4, maxLength: 4 }),
      query,
      call: jsonCall,
      hasBody: fc.boolean(),
      type: fc.constantFrom(
        "application/json",
        "application/json",
        "application/json",
        "application/json; charset=utf-16",
        "text/plain",
        "",
      ),
      coding,
      headers: oddHeaders,
      isHttp2: fc.boolean(),
    });
    await fuzz(
      request,
      async ({ place, verb = place.verb, segments, query, call, hasBody, type, coding, headers, isHttp2 }) => {
        let used = 0;
        const filled = place.path.replace(/\{[^}]*\}/g, () => segments[used++ % segments.length] as string);
        const path = [filled, query.map(([name, value]) => `${name}=${value}`).join("&")].filter(Boolean).join("?");
        const sends = hasBody && verb !== "HEAD";
        const answer = await (isHttp2 ? overHttp2 : overHttp1)({
          method: verb,
          path,
          headers: {
            "grpc-timeout": `${SHORT_MS}m`,
            ...(sends ? { "content-type": type } : {}),
            ...(sends && coding !== undefined ? { "content-encoding": coding } : {}),
            ...headers,
          },
          ...(sends ? { body: encoded(call.body, coding) } : {}),
        });
        expectReceived(answer);
      },
      250,
    );
  });

  it("over Connect", async () => {
    const request = fc.record({
      call: fc.oneof(
        jsonCall.map((call) => ({ ...call, codec: "json" })),
        binaryCall.map((call) => ({ ...call, codec: "proto" })),
      ),
      flags: fc.constantFrom(0, 0, 0, 1, 2, 3, 255),
      coding,
      version: fc.constantFrom(undefined, "1", "1", "2"),
      isGet: fc.boolean(),
      query: fc.array(
        fc.constantFrom("connect=v1", "base64=1", "compression=gzip", "compression=zip", "encoding=xml"),
        { maxLength: 3 },
      ),
      headers: oddHeaders,
      isHttp2: fc.boolean(),
    });
    await fuzz(
      request,
      async ({ call: { method: called, body, codec }, flags, coding, version, isGet, query, headers, isHttp2 }) => {
        const send = isHttp2 ? overHttp2 : overHttp1;
        const isUnary = called.methodKind === "unary";
        const common = {
          ...limit(called, "connect-timeout-ms"),
          ...(version === undefined ? {} : { "connect-protocol-version": version }),
          ...headers,
        };
        if (isUnary && isGet) {
          const message = query.includes("base64=1") ? body.toString("base64url") : encodeURIComponent(body.toString());
          const path = `${pathOf(called)}?${[...query, `encoding=${codec}`, `message=${message.slice(0, 8_000)}`].join("&")}`;
          return expectReceived(await send({ path, headers: common }));
        }
        const bytes = encoded(body, coding);
        const head = Buffer.alloc(5);
        head.writeUInt8(flags);
        head.writeUInt32BE(bytes.length, 1);
        const answer = await send({
          method: "POST",
          path: pathOf(called),
          headers: {
            "content-type": isUnary ? `application/${codec}` : `application/connect+${codec}`,
            ...(coding === undefined ? {} : { [isUnary ? "content-encoding" : "connect-content-encoding"]: coding }),
            ...common,
          },
          body: isUnary ? bytes : Buffer.concat([head, bytes]),
        });
        expectReceived(answer, !isUnary);
      },
      250,
    );
  });

  it("over gRPC and gRPC-Web, frame by frame", async () => {
    const frame = fc.record({
      call: binaryCall,
      flags: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(0, 1) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
      ),
      /** How much longer it says to be than it is. */
      more: fc.oneof(
        { weight: 6, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.constantFrom(-1, 1, 1_000, 2 ** 20, 2 ** 31) },
      ),
      coding,
    });
    const request = fc.record({
      frames: fc
        .array(frame, { minLength: 0, maxLength: 3 })
        .filter((frames) => frames.length !== 2 || frames[0] !== undefined),
      method,
      coding,
      type: fc.constantFrom(
        "application/grpc",
        "application/grpc",
        "application/grpc+proto",
        "application/grpc-web+proto",
        "application/grpc-web",
        "application/grpc-web-text",
      ),
      timeout: fc.constantFrom(`${SHORT_MS}m`, `${SHORT_MS}m`, "1n", "0S", "soon", "99999999H", "999999999H"),
      headers: oddHeaders,
    });
    await fuzz(
      request,
      async ({ frames, method: other, coding, type, timeout, headers }) => {
        const called = frames[0]?.call.method ?? other;
        const isTimed = called.methodKind !== "unary" && !/^\d{3}m$|^1n$|^0S$/.test(timeout);
        const body = Buffer.concat(
          frames.map(({ call, flags, more, coding: frameCoding }) => {
            const bytes = encoded(call.body, flags === 1 ? coding : frameCoding === "gzip" ? "gzip" : undefined);
            const head = Buffer.alloc(5);
            head.writeUInt8(flags);
            head.writeUInt32BE(Math.min(2 ** 32 - 1, Math.max(0, bytes.length + more)), 1);
            return Buffer.concat([head, bytes]);
          }),
        );
        const answer = await (type.startsWith("application/grpc-web") ? overHttp1 : overHttp2)({
          method: "POST",
          path: pathOf(called),
          headers: {
            "content-type": type,
            te: "trailers",
            // Else the stream has no end.
            "grpc-timeout": isTimed ? `${SHORT_MS}m` : timeout,
            ...(coding === undefined ? {} : { "grpc-encoding": coding }),
            ...headers,
          },
          body,
        });
        expectReceived(answer);
        expect(/grpc-status: ?(?:2|13)\b/.test(answer.text), answer.text).toBe(false);
      },
      250,
    );
  });

  it("byte by byte, whatever the protocol", async () => {
    const body = '{"description":"poems"}';
    const requests = [
      `POST /models/recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      `POST /models/recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n17\r\n${body}\r\n0\r\n\r\n`,
      "GET /models/family/qwen?page_size=3 HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\nGET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x01\x01\x05\0\0\0\x01\x82\x86\x84\x41\x09localhost",
      "\x16\x03\x01\0\x05\x01\0\0\x01\0",
    ];
    const sent = damaged(fc.constantFrom(...requests).map((one) => Buffer.from(one, "latin1")));
    await fuzz(
      sent,
      async (bytes) => {
        const answer = await exchange(bytes);
        for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)) {
          expect(status, answer).not.toBe("500");
        }
      },
      150,
    );
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });
});

/** What comes back for some bytes, after which nothing more is sent. */
function exchange(bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTcp({ port, host: "127.0.0.1" });
    let received = "";
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
    });
    // A reset is an answer too.
    socket.on("error", () => {});
    socket.on("close", () => resolve(received));
    socket.end(bytes);
  });
}
