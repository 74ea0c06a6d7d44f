import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { credentials, Client as GrpcClient, status as grpcStatus } from "@grpc/grpc-js";
import { afterAll, describe, expect, it } from "vitest";
import {
  Health,
  type HealthCheckRequest,
  HealthCheckRequestSchema,
  type HealthCheckResponse,
  HealthCheckResponseSchema,
  HealthCheckResponse_ServingStatus as Status,
} from "../../../gen/health/v1/health_pb.ts";
import { createApp } from "../../../src/app/app.ts";
import { readConfig } from "../../../src/config/config.ts";
import { withWriteLock } from "../../../src/inventory/locks.ts";
import { bufCurlWithoutSchema } from "../../support/clients/buf-curl.ts";
import { sendHttp1 } from "../../support/clients/http.ts";
import { startApp } from "../../support/service/start-app.ts";

const { url } = await startApp({ records: [], isUnlimited: false, env: { MODELSCOUT_BURST: "1/60" } });

const everything = [
  "",
  "modelscout.v1.RecommendationService",
  "modelscout.v1.InventoryService",
  "modelscout.v1.InterestService",
  "modelscout.v1.WebhookService",
  "modelscout.v1.BatchService",
  "modelscout.v1.AdminService",
  "grpc.health.v1.Health",
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
];

const healthOf = (baseUrl: string) => createClient(Health, createGrpcTransport({ baseUrl }));

describe("Health of a service that serves", () => {
  it.each([
    ["gRPC", createGrpcTransport({ baseUrl: url })],
    ["gRPC-Web", createGrpcWebTransport({ baseUrl: url, httpVersion: "1.1" })],
    ["Connect", createConnectTransport({ baseUrl: url, httpVersion: "1.1" })],
  ])("is told over %s, without a key", async (_name, transport) => {
    const client = createClient(Health, transport);
    for (const service of everything) {
      expect({ service, ...(await client.check({ service })) }).toMatchObject({ service, status: Status.SERVING });
    }
    const { statuses } = await client.list({});
    expect(Object.keys(statuses).sort()).toEqual([...everything].sort());
    expect(Object.values(statuses).every(({ status }) => status === Status.SERVING)).toBe(true);
  });

  it("says that there is no such service", async () => {
    const refused = ConnectError.from(
      await healthOf(url)
        .check({ service: "modelscout.v1.Nothing" })
        .catch((e) => e),
    );
    expect({ code: refused.code, message: refused.rawMessage }).toEqual({
      code: Code.NotFound,
      message: 'There is no service "modelscout.v1.Nothing"',
    });
    const leaving = new AbortController();
    const watching = healthOf(url).watch({ service: "modelscout.v1.Nothing" }, { signal: leaving.signal });
    for await (const { status } of watching) {
      expect(status).toBe(Status.SERVICE_UNKNOWN);
      break;
    }
    leaving.abort();
  });

  it("is readable by buf curl and @grpc/grpc-js", async () => {
    const { code, stdout } = await bufCurlWithoutSchema([
      ...["--protocol", "grpc", "--http2-prior-knowledge", "--data", "{}"],
      `${url}/grpc.health.v1.Health/Check`,
    ]);
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: { status: "SERVING" } });

    const client = new GrpcClient(new URL(url).host, credentials.createInsecure());
    afterAll(() => client.close());
    const answer = await new Promise<HealthCheckResponse | undefined>((resolve, reject) => {
      client.makeUnaryRequest(
        "/grpc.health.v1.Health/Check",
        (request: HealthCheckRequest) => Buffer.from(toBinary(HealthCheckRequestSchema, request)),
        (bytes) => fromBinary(HealthCheckResponseSchema, bytes),
        { $typeName: "grpc.health.v1.HealthCheckRequest", service: "" },
        (error, response) => (error === null ? resolve(response) : reject(error)),
      );
    });
    expect(answer?.status).toBe(Status.SERVING);
  });
});

describe("Health beyond the burst limit", async () => {
  const limited = await startApp({ records: [], isUnlimited: false, env: { MODELSCOUT_BURST: "1/5" } });

  it("is refused from its own bucket, and probes over HTTP are not", async () => {
    // Calls that used up their bucket leave health its own.
    const statuses = new Set<number>();
    for (let i = 0; i < 20; i++) {
      statuses.add((await sendHttp1(limited.url, { path: "/models/tasks" })).status);
    }
    expect(statuses).toEqual(new Set([200, 429]));
    const client = healthOf(limited.url);
    expect((await client.check({})).status).toBe(Status.SERVING);
    const codes: Array<Code | undefined> = [];
    for (let i = 0; i < 20; i++) {
      codes.push(
        await client.check({}).then(
          () => undefined,
          (error: unknown) => ConnectError.from(error).code,
        ),
      );
    }
    expect(codes).toContain(Code.ResourceExhausted);
    // The page and its parts have a bucket too.
    expect((await sendHttp1(limited.url, { path: "/" })).status).toBe(200);
    for (const path of ["/healthz", "/readyz"]) {
      for (let i = 0; i < 20; i++) {
        expect((await sendHttp1(limited.url, { path })).status).toBe(200);
      }
    }
  });

  it.each([
    ["/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", "POST", "application/grpc-web+proto"],
    ["/metrics", "GET", undefined],
    ["/docs", "GET", undefined],
  ])("%s has a limit as well", async (path, method, type) => {
    const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
    const refused = new Set<unknown>();
    for (let i = 0; i < 20; i++) {
      const answer = await sendHttp1(limited.url, { path, method, headers });
      refused.add(answer.headers["grpc-status"] ?? answer.status);
    }
    expect([...refused]).toContain(type === undefined ? 429 : "8");
  });
});

describe("Health of a service that starts and stops", () => {
  it("is watched from the first moment to the last", async () => {
    const home = mkdtempSync(join(tmpdir(), "modelscout-health-"));
    const { config } = readConfig({ PORT: "0", LOG_LEVEL: "silent", MODELSCOUT_HOME: home, MODELSCOUT_STARTER: "on" });
    const app = await createApp(config);
    try {
      const received: Record<string, Status[]> = {
        "": [],
        "modelscout.v1.AdminService": [],
        "grpc.health.v1.Health": [],
      };
      const watch = async (client: ReturnType<typeof healthOf>, service: string) => {
        for await (const { status } of client.watch({ service })) {
          received[service]?.push(status);
        }
      };
      let watches: Array<Promise<void>> = [];
      // Another process holds the lock, so that the starter catalogue has to wait.
      await withWriteLock(home, async () => {
        const { url: starting } = await app.listen();
        const client = healthOf(starting);
        watches = Object.keys(received).map((service) => watch(client, service));
        await expect
          .poll(() => received["modelscout.v1.AdminService"]?.at(-1), { timeout: 30_000 })
          .toBe(Status.SERVING);
        expect(received[""]).toEqual([Status.NOT_SERVING]);
        expect((await client.check({ service: "modelscout.v1.InventoryService" })).status).toBe(Status.NOT_SERVING);
        const readyz = await sendHttp1(starting, { path: "/readyz" });
        expect({ status: readyz.status, again: readyz.headers["retry-after"] }).toEqual({ status: 503, again: "1" });
      });
      await app.ready;
      await expect.poll(() => received[""], { timeout: 30_000 }).toEqual([Status.NOT_SERVING, Status.SERVING]);
      await app.close();
      await Promise.all(watches);
      expect(received[""]).toEqual([Status.NOT_SERVING, Status.SERVING, Status.NOT_SERVING]);
      expect(received["modelscout.v1.AdminService"]?.slice(-2)).toEqual([Status.SERVING, Status.NOT_SERVING]);
      expect(received["grpc.health.v1.Health"]).toEqual([Status.SERVING, Status.NOT_SERVING]);
    } finally {
      await app.close({ force: true });
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("ends a watch of @grpc/grpc-js with an answer and a good status", async () => {
    const { app, url: stopping } = await startApp({ records: [], isUnlimited: false });
    const client = new GrpcClient(new URL(stopping).host, credentials.createInsecure());
    afterAll(() => client.close());
    const call = client.makeServerStreamRequest(
      "/grpc.health.v1.Health/Watch",
      (request: HealthCheckRequest) => Buffer.from(toBinary(HealthCheckRequestSchema, request)),
      (bytes) => fromBinary(HealthCheckResponseSchema, bytes),
      { $typeName: "grpc.health.v1.HealthCheckRequest", service: "" },
    );
    const ended = new Promise<number>((resolve) => call.on("status", ({ code }) => resolve(code)));
    const received: Status[] = [];
    call.on("data", ({ status }: HealthCheckResponse) => {
      received.push(status);
      if (received.length === 1) {
        void app.close();
      }
    });
    expect(await ended).toBe(grpcStatus.OK);
    expect(received).toEqual([Status.SERVING, Status.NOT_SERVING]);
  });
});
