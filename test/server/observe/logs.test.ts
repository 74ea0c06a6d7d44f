import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, describe, expect, it } from "vitest";
import { Health } from "../../../gen/health/v1/health_pb.ts";
import { RecommendationService, RecommendRequestSchema } from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { newApiKey } from "../../../src/access/api-key.ts";
import { program } from "../../cli/support/run-program.ts";
import { sendHttp1 } from "../../support/clients/http.ts";

const { start, runProcess: run } = program();
const { stdout } = await run(["keys", "create", "--tier", "pro"]);
const key = stdout.trim();
let output = "";
const { url, child } = await startService();
afterAll(() => child.kill("SIGKILL"));

async function startService(): Promise<{ url: string; child: ChildProcessWithoutNullStreams }> {
  const child = start(["serve", "--port", "0"], { env: { LOG_LEVEL: "info" } });
  child.stdout.on("data", (chunk) => (output += chunk));
  let received = "";
  child.stderr.on("data", (chunk) => (received += chunk));
  while (!received.includes("are ready")) {
    await once(child.stderr, "data");
  }
  const [, found = ""] = /listens on (\S+)/.exec(received) ?? [];
  return { url: found, child };
}

/** The lines about the request with an id. */
async function linesOf(requestId: string): Promise<Array<Record<string, unknown>>> {
  const lines = () =>
    output
      .split("\n")
      .filter((line) => line.includes(`"${requestId}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  await expect.poll(lines).not.toEqual([]);
  return lines();
}

/** What no line may have in clear. */
const need = "a very private description of a need";
/** Its error is longer than 1 kB, so that it is compressed for callers who accept that. */
const manyFaults = create(RecommendRequestSchema, {
  taskType: "x",
  hardware: "tpu",
  license: "mine",
  topK: 99,
  maxSizeGb: -1,
  minContextLength: 0,
  languages: ["xx"],
});
const headers = (requestId: string) => ({ "x-request-id": requestId, "x-api-key": key });

describe("The log", () => {
  it.each([
    ["rest", "POST", "/models/recommend"],
    ["connect", "POST", "/modelscout.v1.RecommendationService/Recommend"],
  ])(
    "has one line for a %s call: what it was, whose tier, how it ended and how long its steps took",
    async (protocol, method, path) => {
      const requestId = `log-${protocol}`;
      const { status } = await sendHttp1(url, {
        method,
        path,
        headers: { ...headers(requestId), "content-type": "application/json" },
        body: JSON.stringify({ description: need }),
      });
      expect(status).toBe(200);
      expect(await linesOf(requestId)).toEqual([
        expect.objectContaining({
          level: 30,
          msg: "request",
          requestId,
          method,
          path,
          rpc: "modelscout.v1.RecommendationService/Recommend",
          protocol,
          tier: "pro",
          status: 200,
          code: "OK",
          ms: expect.any(Number),
          stages: {
            understand: expect.any(Number),
            encode: expect.any(Number),
            retrieve: expect.any(Number),
            score: expect.any(Number),
            explain: expect.any(Number),
          },
        }),
      ]);
    },
  );

  it.each([
    ["grpc", createGrpcTransport({ baseUrl: url })],
    ["grpc-web", createGrpcWebTransport({ baseUrl: url, httpVersion: "1.1" })],
    ["connect", createConnectTransport({ baseUrl: url, httpVersion: "1.1" })],
  ])("has the code and the reason of an error over %s", async (protocol, transport) => {
    const requestId = `error-${protocol}`;
    const call = createClient(RecommendationService, transport).recommend(
      { description: need, topK: 99 },
      { headers: headers(requestId) },
    );
    expect(ConnectError.from(await call.catch((error) => error)).code).toBe(Code.InvalidArgument);
    expect(await linesOf(requestId)).toEqual([
      expect.objectContaining({
        protocol,
        rpc: "modelscout.v1.RecommendationService/Recommend",
        tier: "pro",
        status: protocol === "connect" ? 400 : 200,
        code: "INVALID_ARGUMENT",
        reason: "INVALID_REQUEST",
      }),
    ]);
  });

  it.each([["gzip"], ["br"]])(
    "has the code and the reason of a Connect error that is sent with %s",
    async (encoding) => {
      const requestId = `compressed-${encoding}`;
      const { status, headers: received } = await sendHttp1(url, {
        method: "POST",
        path: "/modelscout.v1.RecommendationService/Recommend",
        headers: { ...headers(requestId), "content-type": "application/proto", "accept-encoding": encoding },
        body: toBinary(RecommendRequestSchema, manyFaults),
      });
      expect([status, received["content-encoding"]]).toEqual([400, encoding]);
      expect(await linesOf(requestId)).toEqual([
        expect.objectContaining({ protocol: "connect", code: "INVALID_ARGUMENT", reason: "INVALID_REQUEST" }),
      ]);
    },
  );

  it.each([
    ["/models/detail/nobody/nothing", 404, { code: "NOT_FOUND", reason: "MODEL_NOT_FOUND", protocol: "rest" }],
    ["/models/recommend?q=", 400, { code: "INVALID_ARGUMENT", path: "/models/recommend", protocol: "rest" }],
    ["/nowhere?secret=1", 404, { code: "NOT_FOUND", path: "/nowhere", protocol: "http" }],
    ["/docs", 200, { code: "OK", protocol: "http" }],
    ["/models/%zz", 400, { code: "INVALID_ARGUMENT", path: "/models/%zz", protocol: "http" }],
  ])("has the end of GET %s", async (path, status, expected) => {
    const requestId = `end-${path.length}`;
    expect((await sendHttp1(url, { path, headers: headers(requestId) })).status).toBe(status);
    expect(await linesOf(requestId)).toEqual([expect.objectContaining({ status, ...expected })]);
  });

  it("has the refused requests, with the reasons", async () => {
    await sendHttp1(url, {
      path: "/models/families",
      headers: { "x-request-id": "refused", "x-api-key": newApiKey().key },
    });
    const [line] = await linesOf("refused");
    expect(line).toMatchObject({ status: 401, code: "UNAUTHENTICATED", reason: "API_KEY_UNKNOWN" });
    expect(line).not.toHaveProperty("tier");
    await sendHttp1(url, {
      method: "POST",
      path: "/models/recommend:batch",
      headers: { "x-request-id": "too-low", "content-type": "application/json" },
      body: JSON.stringify({ requests: [{ description: need }] }),
    });
    expect(await linesOf("too-low")).toEqual([
      expect.objectContaining({
        status: 403,
        reason: "TIER_TOO_LOW",
        tier: "free",
        rpc: expect.stringMatching(/Batch/),
      }),
    ]);
  });

  it("has a call whose caller left", async () => {
    const session = connect(url);
    const stream = session.request({
      ":method": "POST",
      ":path": "/models/recommend",
      "content-type": "application/json",
      ...headers("left"),
    });
    stream.on("error", () => {});
    stream.write("{");
    // The request has come when a later one on the connection is answered.
    await once(session.request({ ":path": "/healthz" }).end(), "response");
    session.destroy();
    expect(await linesOf("left")).toEqual([
      expect.objectContaining({ code: "CANCELED", status: 499, protocol: "rest" }),
    ]);
  });

  it("has the requests of monitors only at the level debug", async () => {
    await sendHttp1(url, { path: "/readyz", headers: headers("monitor") });
    await createClient(Health, createGrpcTransport({ baseUrl: url })).check({}, { headers: headers("monitor") });
    await sendHttp1(url, { path: "/models/usage", headers: headers("after") });
    await linesOf("after");
    expect(output).not.toContain('"monitor"');
  });

  it("has no key, description or address in clear", async () => {
    const query = `q=${encodeURIComponent(need)}`;
    await sendHttp1(url, { path: `/models/recommend?${query}`, headers: headers("quick") });
    await sendHttp1(url, { path: `/models/recommend?q=x&key=${key}`, headers: headers("in-url") });
    await sendHttp1(url, { path: `/models/detail/${key}/x`, headers: headers("in-path") });
    await linesOf("quick");
    expect((await linesOf("in-url"))[0]).toMatchObject({ status: 401, path: expect.stringContaining("withheld") });
    await linesOf("in-path");
    const requests = output.split("\n").filter((line) => line.includes('"request"'));
    expect(requests.length).toBeGreaterThan(10);
    for (const secret of [key, key.slice(-20), "private", "127.0.0.1"]) {
      expect(requests.join()).not.toContain(secret);
    }
  });
});

/** How many calls of a method ended with which code, as the metrics have it. */
async function countsByCode(method: string, protocol: string): Promise<Record<string, number>> {
  const { text } = await sendHttp1(url, { path: "/metrics" });
  const sample = /^modelscout_requests_total\{method="([^"]+)",protocol="([^"]+)",code="(\w+)"\} (\d+)$/gm;
  const counts = [...text.matchAll(sample)].filter(([, ...labels]) => labels[0] === method && labels[1] === protocol);
  return Object.fromEntries(counts.map(([, , , code, count]) => [code, Number(count)]));
}

describe("A caller who leaves a stream", () => {
  it("is no error of the service, however often that happens", async () => {
    const method = "grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    const left = 12;
    const from = output.length;
    // The answers are never read: they wait in the service for the peer.
    const session = connect(url, { settings: { initialWindowSize: 0 } }).on("error", () => {});
    const symbol = Buffer.from("modelscout.v1.ModelEntry");
    const question = Buffer.from([0, 0, 0, 0, symbol.length + 2, 0x22, symbol.length, ...symbol]);
    for (let i = 0; i < left; i++) {
      const stream = session.request({
        ":method": "POST",
        ":path": `/${method}`,
        "content-type": "application/grpc",
        te: "trailers",
      });
      stream.on("error", () => {});
      stream.write(Buffer.concat([...Array(20).fill(question), question.subarray(0, 9)]));
      await once(stream, "response");
      // CANCEL, and ENHANCE_YOUR_CALM, which Node tells as an error; the others go with their connection.
      if (i % 3 < 2) {
        stream.close(i % 3 === 0 ? 8 : 11);
      }
    }
    session.destroy();
    const total = async () => Object.values(await countsByCode(method, "grpc")).reduce((sum, count) => sum + count, 0);
    await expect.poll(total, { timeout: 60_000 }).toBe(left);
    expect(Object.keys(await countsByCode(method, "grpc"))).not.toContain("INTERNAL");
    expect(output.slice(from)).not.toContain('"level":50');
  });

  it.each([
    ["grpc", "application/grpc"],
    ["grpc-web", "application/grpc-web+proto"],
    ["connect", "application/connect+proto"],
  ])("is none either in the middle of the request, over %s", async (protocol, type) => {
    const method = "grpc.health.v1.Health/Watch";
    const from = output.length;
    const session = connect(url).on("error", () => {});
    const stream = session.request({ ":method": "POST", ":path": `/${method}`, "content-type": type, te: "trailers" });
    stream.on("error", () => {});
    stream.write(Buffer.from([0, 0, 0, 0, 9]));
    // The request has come when a later one on the connection is answered.
    await once(session.request({ ":path": "/healthz" }).end(), "response");
    session.destroy();
    await expect.poll(() => countsByCode(method, protocol), { timeout: 60_000 }).toEqual({ CANCELED: 1 });
    expect(output.slice(from)).not.toContain('"level":50');
  });
});
