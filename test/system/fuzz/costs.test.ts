import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type DescMethod, type DescMethodUnary, type DescService, getOption } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { startService } from "../../../bench/support/start-service.ts";
import { http } from "../../../gen/google/api/annotations_pb.ts";
import { ServerReflection } from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { Health } from "../../../gen/health/v1/health_pb.ts";
import * as client from "../../../packages/client/src/index.ts";
import { type HttpAnswer, type HttpRequest, h2Client, sendHttp1 } from "../../support/clients/http.ts";
import { restRequest } from "../../support/clients/rest.ts";
import { freePort } from "../../support/servers/free-port.ts";
import { CostMeter, type HostileRequest, type Worst } from "./support/cost-meter.ts";
import { fuzz, seconds } from "./support/fuzz.ts";
import { type Hostile, hostileBinary, hostileHeaders, hostileJson, hostileQuery, packed } from "./support/hostile.ts";

// In a process of its own, whose processor time and memory are its own too.
const home = mkdtempSync(join(tmpdir(), "modelscout-costs-"));
const metricsAddress = `127.0.0.1:${await freePort()}`;
const service = await startService(home, {
  LOG_LEVEL: "silent",
  MODELSCOUT_METRICS: metricsAddress,
  MODELSCOUT_BURST: "off",
  MODELSCOUT_HUB_URL: "http://127.0.0.1:1",
  MODELSCOUT_OLLAMA_URL: "http://127.0.0.1:1",
  MODELSCOUT_LOCALAI_URL: "http://127.0.0.1:1/index.yaml",
});
const { url } = service;
const key = { "x-api-key": service.key };
const report: Record<string, Worst> = {};
afterAll(async () => {
  await service.stop();
  rmSync(home, { recursive: true, force: true });
  if (seconds > 0) {
    console.table(report);
  }
});

const services = (Object.values(client) as unknown[]).filter(
  (exported): exported is DescService => (exported as Partial<DescService>)?.kind === "service",
);
const methods = [...services, Health, ServerReflection].flatMap((each): DescMethod[] => each.methods);
const pathOf = ({ parent, name }: DescMethod) => `/${parent.typeName}/${name}`;

/** The most that bodies have here: the limit of most methods, or what a short run takes little time over. */
const MOST_BYTES = seconds > 0 ? 1024 * 1024 : 128 * 1024;
/** Streams end by this. */
const STREAM_MS = 300;
const RUNS = 60;

/** Needs that a valid request of a method has worked on, at most. */
function needsOf({ name }: DescMethod): number {
  if (name === "BatchRecommend") {
    return 100;
  }
  return /^(?:Recommend|QuickRecommend|CreateBatch|\w+Interest)$/.test(name) ? 1 : 0;
}

/** Bytes of a right answer that come from the inventory and not from the request. */
function answerBytesOf({ input, parent }: DescMethod): number {
  const hasRows = input.fields.some(({ name }) => ["page_size", "top_k", "requests"].includes(name));
  if (hasRows) {
    return 4 * 1024 * 1024;
  }
  return parent.typeName === ServerReflection.typeName ? 1024 * 1024 : 256 * 1024;
}

interface Parts {
  method: DescMethod;
  what: string;
  plainBytes: number;
  sent: HttpRequest;
}

/** What is judged, shown by its name, since bodies are long. */
function hostile({ method, what, plainBytes, sent }: Parts): HostileRequest {
  const request = {
    ...sent,
    headers: { ...key, ...sent.headers },
    name: `${method.name}, ${what}`,
    plainBytes,
    wireBytes: sent.path.length + Buffer.byteLength(sent.body ?? "") + JSON.stringify(sent.headers ?? {}).length,
    needs: needsOf(method),
    answerBytes: answerBytesOf(method),
  };
  return Object.assign(request, { [fc.toStringMethod]: () => request.name });
}

async function judged(
  entry: string,
  requests: fc.Arbitrary<HostileRequest>,
  send: (request: HttpRequest) => Promise<HttpAnswer>,
): Promise<void> {
  const meter = new CostMeter(`http://${metricsAddress}`, send);
  await meter.begin();
  report[entry] = meter.worst;
  await fuzz(
    requests,
    async (request) => {
      const wrong = await meter.judge(request);
      if (wrong !== undefined) {
        throw new Error(wrong);
      }
    },
    RUNS,
    { endOnFailure: true },
  );
  expect(await meter.end()).toBeUndefined();
  expect(meter.worst.requests).toBeGreaterThanOrEqual(seconds > 0 ? 1 : RUNS);
}

const overHttp1 = (request: HttpRequest) => sendHttp1(url, request);
const overHttp2 = h2Client(url);
const isPacked = fc.boolean();

/** Methods that have a path in REST, with what of the message is in the body. */
const restMethods = methods.flatMap((method) => {
  const { pattern, body } = getOption(method, http);
  if (method.methodKind !== "unary" || pattern.case === undefined) {
    return [];
  }
  const inBody = body === "*" ? method.input : method.input.fields.find(({ name }) => name === body)?.message;
  const { path, ...request } = restRequest(method as DescMethodUnary, create(method.input));
  return [{ method, inBody, path, verb: request.method ?? "GET" }];
});

const envelope = (message: Uint8Array, flags: number) => {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(message.byteLength, 1);
  return Buffer.concat([head, message]);
};

describe("What a request costs is bounded by its size", { timeout: 300_000 + seconds * 2_000 }, () => {
  it("in bodies over REST", async () => {
    const withBody = fc.constantFrom(...restMethods.filter(({ inBody }) => inBody !== undefined));
    const requests = withBody.chain(({ method, inBody, path, verb }) => {
      const described = { ...method, input: inBody ?? method.input } as DescMethod;
      return fc.tuple(hostileJson(described, MOST_BYTES), isPacked).map(([body, packs]) => {
        const coding: Record<string, string> = packs ? { "content-encoding": "gzip" } : {};
        const headers = { "content-type": "application/json", ...coding };
        const sent = { method: verb, path, headers, body: packed(body, packs) };
        return hostile({ method, what: body.name, plainBytes: body.bytes.length, sent });
      });
    });
    await judged("REST bodies", requests, overHttp1);
  });

  it("in queries over REST", async () => {
    const requests = fc
      .tuple(fc.constantFrom(...restMethods), hostileQuery)
      .map(([{ method, path, verb }, { name, query }]) => {
        const target = `${path}${path.includes("?") ? "&" : "?"}${query}`;
        const body =
          verb === "GET" || verb === "DELETE" ? {} : { body: "{}", headers: { "content-type": "application/json" } };
        return hostile({
          method,
          what: name,
          plainBytes: target.length,
          sent: { method: verb, path: target, ...body },
        });
      });
    await judged("REST queries", requests, overHttp1);
  });

  it("in headers", async () => {
    const requests = fc
      .tuple(fc.constantFrom(...restMethods), hostileHeaders)
      .map(([{ method, path, verb }, { name, headers }]) => {
        const plainBytes = JSON.stringify(headers).length;
        const body = verb === "GET" || verb === "DELETE" ? {} : { body: "{}" };
        return hostile({ method, what: name, plainBytes, sent: { method: verb, path, headers, ...body } });
      });
    await judged("headers", requests, overHttp1);
  });

  it("in messages over Connect", async () => {
    const requests = fc.constantFrom(...methods).chain((method) => {
      const isUnary = method.methodKind === "unary";
      const message = fc.oneof(
        hostileJson(method, MOST_BYTES).map((each) => ({ ...each, codec: "json" })),
        hostileBinary(method, MOST_BYTES).map((each) => ({ ...each, codec: "proto" })),
      );
      return fc.tuple(message, isPacked).map(([body, packs]) => {
        const bytes = packed(body, packs);
        const coding = packs ? { [isUnary ? "content-encoding" : "connect-content-encoding"]: "gzip" } : {};
        const headers = isUnary
          ? { "content-type": `application/${body.codec}`, ...coding }
          : { "content-type": `application/connect+${body.codec}`, "connect-timeout-ms": String(STREAM_MS), ...coding };
        const sent = {
          method: "POST",
          path: pathOf(method),
          headers,
          body: isUnary ? bytes : envelope(bytes, packs ? 1 : 0),
        };
        return hostile({ method, what: `${body.name} as ${body.codec}`, plainBytes: body.bytes.length, sent });
      });
    });
    await judged("Connect messages", requests, overHttp1);
  });

  it("in queries of Connect", async () => {
    const requests = fc.constantFrom(...methods.filter(({ methodKind }) => methodKind === "unary")).chain((method) =>
      fc
        .tuple(hostileJson(method, 24_000), isPacked, hostileQuery, fc.boolean())
        .map(([body, packs, more, hasMore]) => {
          const message = packed(body, packs).toString("base64url");
          const coding = packs ? "&compression=gzip" : "";
          // Compressed messages leave room for other parameters.
          const query = hasMore && packs ? `&${more.query.slice(0, 8_000)}` : "";
          const path = `${pathOf(method)}?connect=v1&encoding=json&base64=1${coding}&message=${message}${query}`;
          return hostile({
            method,
            what: `${body.name} in the query`,
            plainBytes: body.bytes.length + path.length,
            sent: { path },
          });
        }),
    );
    await judged("Connect queries", requests, overHttp1);
  });

  const frames = (type: string) =>
    fc.constantFrom(...methods).chain((method) =>
      fc.tuple(hostileBinary(method, MOST_BYTES), isPacked).map(([message, packs]: [Hostile, boolean]) => {
        const headers = {
          "content-type": type,
          te: "trailers",
          ...(packs ? { "grpc-encoding": "gzip" } : {}),
          ...(method.methodKind === "unary" ? {} : { "grpc-timeout": `${STREAM_MS}m` }),
        };
        const body = envelope(packed(message, packs), packs ? 1 : 0);
        const sent = { method: "POST", path: pathOf(method), headers, body };
        return hostile({ method, what: message.name, plainBytes: message.bytes.length, sent });
      }),
    );

  it("in messages over gRPC", async () => {
    await judged("gRPC", frames("application/grpc"), overHttp2);
  });

  it("in messages over gRPC-Web", async () => {
    await judged("gRPC-Web", frames("application/grpc-web+proto"), overHttp1);
  });
});
