import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { create, type DescMethod, fromBinary, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import {
  compressionBrotli,
  compressionGzip,
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { compressionAlgorithms, credentials, Client as GrpcClient } from "@grpc/grpc-js";
import { afterAll, describe, expect, it } from "vitest";
import { ServerReflection } from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { Health } from "../../../gen/health/v1/health_pb.ts";
import { BatchService } from "../../../gen/modelscout/v1/batch_pb.ts";
import { InterestService } from "../../../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import {
  RecommendationService,
  RecommendRequestSchema,
  RecommendResponseSchema,
} from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { WebhookService } from "../../../gen/modelscout/v1/webhook_pb.ts";
import { maxBodyBytes } from "../../../src/rpc/call/method-options.ts";
import { needLimits } from "../../../src/rpc/recommendation/need.ts";
import { connectError } from "../../support/clients/connect-json.ts";
import { grpcError } from "../../support/clients/grpc-js.ts";
import { h2Client, sendHttp1 } from "../../support/clients/http.ts";
import { ReceivedError } from "../../support/clients/received-error.ts";
import { restError } from "../../support/clients/rest.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp({ records: [{ name: "acme/one", task_types: ["text-generation"] }] });

const KIB = 1024;
const MIB = 1024 * KIB;
/** What Recommend takes. */
const LIMIT = 64 * KIB;
const rpc = "/modelscout.v1.RecommendationService/Recommend";
const jsonType = { "content-type": "application/json" };
const bodyTooLarge = { reason: "BODY_TOO_LARGE", domain: "modelscout" };
/** REST and Connect answer 413, which goes with this code. */
const inHttp = { code: "INVALID_ARGUMENT", details: { ErrorInfo: bodyTooLarge } };
/** A need in JSON, filled with blanks to so many bytes. */
const padded = (bytes: number) => '{"description":"poems"}'.padEnd(bytes);
const large = { description: "x".repeat(2 * MIB) };

describe.each([
  ["REST", "/models/recommend", restError],
  ["Connect JSON", rpc, connectError],
])("%s", (_name, path, read) => {
  const overHttp2 = h2Client(url);

  it("accepts a body of 64 KiB and refuses one of a byte more", async () => {
    for (const send of [(r: Parameters<typeof overHttp2>[0]) => sendHttp1(url, r), overHttp2]) {
      const request = { method: "POST", path, headers: jsonType };
      expect((await send({ ...request, body: padded(LIMIT) })).status).toBe(200);
      const answer = await send({ ...request, body: padded(LIMIT + 1) });
      expect(answer.status).toBe(413);
      expect(read(answer)).toMatchObject(inHttp);
    }
  });

  it("refuses 2 MiB, with and without a content length", async () => {
    const request = { method: "POST", path, headers: jsonType, body: padded(2 * MIB) };
    expect((await sendHttp1(url, request)).status).toBe(413);
    expect((await overHttp2(request)).status).toBe(413);
    const chunked = await fetch(url + path, {
      method: "POST",
      headers: jsonType,
      body: chunks(request.body),
      duplex: "half",
    } as object);
    expect(chunked.status).toBe(413);
    expect(read({ text: await chunked.text(), status: 413 }).details.ErrorInfo?.reason).toBe("BODY_TOO_LARGE");
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("takes %s, and counts what comes out of it", async (encoding, compress) => {
    const send = (bytes: number) =>
      sendHttp1(url, {
        method: "POST",
        path,
        headers: { ...jsonType, "content-encoding": encoding },
        body: compress(padded(bytes)),
      });
    expect((await send(100)).status).toBe(200);
    expect((await send(LIMIT)).status).toBe(200);
    const answer = await send(16 * MIB);
    expect(answer.status).toBe(413);
    expect(read(answer).details.ErrorInfo?.reason).toBe("BODY_TOO_LARGE");
  });

  it("answers the next request on the connection after a body that was too large", async () => {
    expect((await overHttp2({ method: "POST", path, headers: jsonType, body: padded(2 * MIB) })).status).toBe(413);
    expect((await overHttp2({ method: "POST", path, headers: jsonType, body: padded(100) })).status).toBe(200);
  });
});

const base = { baseUrl: url, useBinaryFormat: true, sendCompression: null as never };
const inGrpc = {
  code: "RESOURCE_EXHAUSTED",
  details: { ErrorInfo: { ...bodyTooLarge, metadata: { limit_bytes: String(LIMIT) } } },
};
const transports = [
  ["Connect binary", createConnectTransport({ ...base, httpVersion: "1.1" })],
  [
    "Connect binary, compressed",
    createConnectTransport({ ...base, httpVersion: "2", sendCompression: compressionGzip }),
  ],
  ["gRPC", createGrpcTransport(base)],
  ["gRPC, compressed by gzip", createGrpcTransport({ ...base, sendCompression: compressionGzip })],
  ["gRPC, compressed by brotli", createGrpcTransport({ ...base, sendCompression: compressionBrotli })],
  ["gRPC-Web", createGrpcWebTransport({ ...base, httpVersion: "1.1" })],
  ["gRPC-Web, compressed", createGrpcWebTransport({ ...base, httpVersion: "2", sendCompression: compressionGzip })],
] as const;

describe.each(transports)("%s", (name, transport) => {
  const client = createClient(RecommendationService, transport);

  it("refuses a message of 2 MiB, and answers the next one", async () => {
    const error = ReceivedError.fromConnect(await client.recommend(large).catch((e: unknown) => e));
    expect(error).toMatchObject(name.startsWith("Connect") ? inHttp : inGrpc);
    expect((await client.recommend({ description: "poems" })).modelsSearched).toBe(1);
  });

  it("accepts a message just below 64 KiB, which is then too long for a description", async () => {
    const error = ReceivedError.fromConnect(
      await client.recommend({ description: "x".repeat(LIMIT - 100) }).catch((e: unknown) => e),
    );
    expect(error.violations).toEqual([expect.stringMatching(/^description: has \d+ characters/)]);
  });
});

describe.each([
  ["plain", compressionAlgorithms.identity],
  ["compressed", compressionAlgorithms.gzip],
])("@grpc/grpc-js, %s,", (_name, algorithm) => {
  const options = { "grpc.default_compression_algorithm": algorithm };
  const client = new GrpcClient(new URL(url).host, credentials.createInsecure(), options);
  afterAll(() => client.close());
  const recommend = (description: string) =>
    new Promise<number>((resolve, reject) => {
      client.makeUnaryRequest(
        rpc,
        (text: string) =>
          Buffer.from(toBinary(RecommendRequestSchema, create(RecommendRequestSchema, { description: text }))),
        (bytes) => fromBinary(RecommendResponseSchema, bytes),
        description,
        (error, answer) => (error === null ? resolve(answer?.modelsSearched ?? -1) : reject(grpcError(error))),
      );
    });

  it("is refused a message of 2 MiB, and answered the next one", async () => {
    await expect(recommend(large.description)).rejects.toMatchObject(inGrpc);
    expect(await recommend("poems")).toBe(1);
  });
});

describe("The limit of a method", () => {
  const needs = RecommendationService.method;
  // What a character may take at most in JSON: two escapes of UTF-16.
  const widest = "\\ud83e\\udd9c";
  const fullNeed = `{"description":"${widest.repeat(needLimits.descriptionCharacters)}","ignore":${JSON.stringify(
    Array.from({ length: needLimits.listEntries }, () => `size:${"9".repeat(195)}`),
  )},"languages":${JSON.stringify(Array.from({ length: needLimits.listEntries }, () => "en"))}}`;

  it("lets through the longest need, however it is written", async () => {
    const path = "/models/recommend";
    expect(fullNeed.length).toBeGreaterThan(40 * KIB);
    expect((await sendHttp1(url, { method: "POST", path, headers: jsonType, body: fullNeed })).status).toBe(200);
  });

  it("fits the needs of each method", () => {
    const limits: ReadonlyArray<readonly [DescMethod, number]> = [
      [Health.method.check, 16 * KIB],
      [ServerReflection.method.serverReflectionInfo, 16 * KIB],
      [InventoryService.method.estimateHardware, 16 * KIB],
      [InventoryService.method.listFamilies, 16 * KIB],
      [needs.recommend, 64 * KIB],
      [needs.quickRecommend, 64 * KIB],
      [InterestService.method.createInterest, 64 * KIB],
      [WebhookService.method.createWebhook, 64 * KIB],
      [needs.batchRecommend, MIB],
      [BatchService.method.createBatch, 32 * MIB],
    ];
    const received = limits.map(([method]) => [method.name, maxBodyBytes(method)]);
    expect(received).toEqual(limits.map(([method, bytes]) => [method.name, bytes]));
  });

  it.each([
    ["Connect JSON", "application/json"],
    ["Connect binary", "application/proto"],
    ["gRPC-Web", "application/grpc-web+proto"],
  ])("holds for health without a key over %s", async (_name, type) => {
    const path = "/grpc.health.v1.Health/Check";
    const body = Buffer.alloc(16 * KIB + 6, " ");
    if (type.includes("grpc")) {
      body.writeUIntBE(body.length - 5, 0, 5);
    }
    const { status, text } = await sendHttp1(url, {
      method: "POST",
      path,
      headers: { "content-type": type },
      body,
    });
    if (type.includes("grpc")) {
      expect({ status, text }).toEqual({ status: 200, text: expect.stringMatching(/grpc-status: 8\r\n/) });
    } else {
      expect({ status, code: JSON.parse(text).code }).toEqual({ status: 413, code: "invalid_argument" });
    }
  });
});

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < text.length; at += 64 * 1024) {
    yield Buffer.from(text.slice(at, at + 64 * 1024));
  }
}
