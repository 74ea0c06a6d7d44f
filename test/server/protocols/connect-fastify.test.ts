import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import Fastify from "fastify";
import { afterAll, describe, expect, it } from "vitest";
import { InventoryService } from "../../../gen/modelscout/v1/inventory_pb.ts";
import {
  BatchRecommendRequestSchema,
  RecommendationService,
  RecommendRequestSchema,
} from "../../../gen/modelscout/v1/recommendation_pb.ts";
import { connectError } from "../../support/clients/connect-json.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { startApp } from "../../support/service/start-app.ts";

const path = "/modelscout.v1.InventoryService/ListTasks";
const batchPath = "/modelscout.v1.RecommendationService/BatchRecommend";
const json = { "content-type": "application/json" };

/** The numbers of needs of the batches that the bare plugin decoded. */
const decoded: number[] = [];

/** What @connectrpc/connect-fastify does by itself, without the hooks and wrapped handlers of rpc-routes.ts. */
async function startBare(): Promise<string> {
  const bare = Fastify();
  await bare.register(fastifyConnectPlugin, {
    routes: (router) =>
      router.service(InventoryService, { listTasks: () => ({}) }).service(RecommendationService, {
        batchRecommend({ requests }) {
          decoded.push(requests.length);
          return {};
        },
      }),
  });
  afterAll(() => bare.close());
  return bare.listen({ host: "127.0.0.1", port: 0 });
}

describe("What rpc-routes.ts adds to @connectrpc/connect-fastify", async () => {
  const bare = await startBare();
  const { url } = await startApp({ records: [], env: { MODELSCOUT_LOOPBACK_GUARD: "off" } });
  const zipped = (body: string | Uint8Array, type: string) => ({
    method: "POST",
    path: batchPath,
    headers: { "content-type": type, "content-encoding": "gzip" },
    body: gzipSync(body),
  });

  it("an error if Connect cannot make a URL of the Host; the plugin answers an empty 200", async () => {
    const request = { method: "POST", path, headers: { ...json, host: "localhost:x" }, body: "{}" };
    expect(await sendHttp1(bare, request)).toMatchObject({ status: 200, text: "" });
    const answer = await sendHttp1(url, request);
    expect(answer.status).toBe(400);
    expect(connectError(answer)).toMatchObject({ details: { ErrorInfo: { reason: "MALFORMED_REQUEST" } } });
  });

  it("a reason in errors that Connect makes itself, which pass no interceptor", async () => {
    const request = {
      method: "POST",
      path,
      headers: { "content-type": "application/proto" },
      body: Buffer.from([1, 2, 3, 255]),
    };
    expect(connectError(await sendHttp1(bare, request)).details).toEqual({});
    expect(connectError(await sendHttp1(url, request))).toMatchObject({
      details: { ErrorInfo: { reason: "MALFORMED_REQUEST" } },
    });
  });

  it("RateLimit headers in those errors, because the plugin runs no onSend hook", async () => {
    const limited = await startApp({ records: [], isUnlimited: false });
    const path = "/modelscout.v1.RecommendationService/Recommend";
    for (const type of ["application/proto", "application/grpc-web+proto"]) {
      const request = { method: "POST", path, headers: { "content-type": type }, body: Buffer.from([1, 2, 3, 255]) };
      const { headers } = await sendHttp1(limited.url, request);
      expect(headers).toMatchObject({ ratelimit: expect.stringMatching(/^"daily";r=/) });
    }
  });

  it("a limit on the memory of bodies that counts their decompressed bytes", async () => {
    const small = await startApp({ records: [], env: { MODELSCOUT_BODY_MEMORY_MB: "1" } });
    // Fewer bytes than a message may have, and more than one client may hold.
    const request = zipped('{"requests":[]}'.padEnd(700_000), "application/json");
    expect(request.body.length).toBeLessThan(1_000);
    expect(await sendHttp1(bare, request)).toMatchObject({ status: 200 });
    expect((await sendHttp1(url, request)).status).toBe(400);
    const answer = await sendHttp1(small.url, request);
    expect(answer.status).toBe(503);
    expect(connectError(answer)).toMatchObject({ details: { ErrorInfo: { reason: "OVERLOADED" } } });
  });

  it("a check of a message's cost after it is decompressed and before it is decoded", async () => {
    const requests = Array(5_000).fill(create(RecommendRequestSchema));
    const bytes = toBinary(BatchRecommendRequestSchema, create(BatchRecommendRequestSchema, { requests }));
    const request = zipped(bytes, "application/proto");
    decoded.length = 0;
    expect(await sendHttp1(bare, request)).toMatchObject({ status: 200 });
    expect(decoded).toEqual([5_000]);
    const answer = await sendHttp1(url, request);
    expect(answer.status).toBe(400);
    // A batch that is decoded gets an error with the number of its needs instead.
    expect(connectError(answer).message).toContain("has far more entries than allowed");
  });

  it("a body in the answer to a query that names an unknown type of message", async () => {
    const request = { path: `${path}?encoding=xml&message=%7B%7D` };
    expect(await sendHttp1(bare, request)).toMatchObject({ status: 415, text: "" });
    const answer = await sendHttp1(url, request);
    expect(answer.status).toBe(415);
    expect(connectError(answer)).toMatchObject({ details: { ErrorInfo: { reason: "UNSUPPORTED_MEDIA_TYPE" } } });
  });
});
