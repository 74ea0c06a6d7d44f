import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport } from "@connectrpc/connect-node";
import { Health } from "../../gen/health/v1/health_pb.ts";
import { InterestService } from "../../gen/modelscout/v1/interest_pb.ts";
import { InventoryService } from "../../gen/modelscout/v1/inventory_pb.ts";
import { RecommendationService } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { needs } from "../support/needs.ts";

/** A kind of call. It fails when the service gives a wrong answer. */
export interface MixedCall {
  name: string;
  /** Its relative frequency. */
  weight: number;
  /** Whether its time counts as the time of an answer. */
  isTimed?: boolean;
  call: () => Promise<void>;
}

/** Valid and invalid calls to a service, over every protocol. @param key a Pro key. */
export function mixedCalls(url: string, key: string): MixedCall[] {
  const withKey: Interceptor = (next) => (call) => {
    call.header.set("x-api-key", key);
    return next(call);
  };
  const interceptors = [withKey];
  const grpcTransport = createGrpcTransport({ baseUrl: url, interceptors });
  const connectTransport = createConnectTransport({ baseUrl: url, httpVersion: "1.1", interceptors });
  const grpc = createClient(RecommendationService, grpcTransport);
  const connectClient = createClient(RecommendationService, connectTransport);
  const inventory = createClient(InventoryService, grpcTransport);
  const interests = createClient(InterestService, grpcTransport);
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const need = () => needs[Math.floor(Math.random() * needs.length)] as (typeof needs)[number];

  /** Sends an HTTP request, and expects this status. */
  const expectStatus = async (status: number, path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, { headers, ...init });
    const text = await answer.text();
    if (answer.status !== status) {
      throw new Error(`${path} answered ${answer.status}, not ${status}: ${text}`);
    }
    return text;
  };
  const post = (status: number, path: string, body: unknown) =>
    expectStatus(status, path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  /** Expects a call to fail with this code. */
  const expectCode = async (code: Code, call: Promise<unknown>) => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => ConnectError.from(thrown),
    );
    if (error?.code !== code) {
      throw new Error(`expected ${Code[code]}, not ${error ?? "an answer"}`);
    }
  };
  /** Reads a stream for a while, then closes it. */
  const watch = async (open: (signal: AbortSignal) => AsyncIterable<unknown>) => {
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), 500 + Math.random() * 2_000);
    try {
      for await (const _ of open(leaving.signal)) {
      }
    } catch (error) {
      if (!leaving.signal.aborted) {
        throw error;
      }
    } finally {
      clearTimeout(timer);
    }
  };

  return [
    {
      name: "recommend, REST",
      weight: 20,
      isTimed: true,
      call: async () => void (await post(200, "/models/recommend", need())),
    },
    {
      name: "recommend, Connect",
      weight: 10,
      isTimed: true,
      call: async () => void (await connectClient.recommend(need())),
    },
    { name: "recommend, gRPC", weight: 20, isTimed: true, call: async () => void (await grpc.recommend(need())) },
    {
      name: "families",
      weight: 4,
      isTimed: true,
      call: async () => void (await expectStatus(200, "/models/families")),
    },
    {
      name: "a page of a task",
      weight: 4,
      isTimed: true,
      call: async () => void (await expectStatus(200, "/models/task/text-generation")),
    },
    {
      name: "a model",
      weight: 6,
      isTimed: true,
      call: async () => {
        const { models } = await inventory.listTaskModels({ task: "text-generation", pageSize: 20 });
        const name = models[Math.floor(Math.random() * models.length)]?.name ?? "";
        // A sync may have removed it in the meantime.
        await inventory.getModel({ modelName: name }).catch((error: unknown) => {
          if (ConnectError.from(error).code !== Code.NotFound) {
            throw error;
          }
        });
      },
    },
    {
      name: "an estimate",
      weight: 4,
      isTimed: true,
      call: async () => void (await post(200, "/models/estimate", { parameters: 7e9 })),
    },
    {
      name: "a batch",
      weight: 2,
      call: async () => void (await grpc.batchRecommend({ requests: [need(), need(), need()] })),
    },
    { name: "the page", weight: 2, call: async () => void (await expectStatus(200, "/")) },
    { name: "metrics", weight: 2, call: async () => void (await expectStatus(200, "/metrics")) },
    { name: "bad JSON", weight: 4, call: async () => void (await post(400, "/models/recommend", "{")) },
    { name: "bad values", weight: 4, call: () => expectCode(Code.InvalidArgument, grpc.recommend({ topK: 99 })) },
    {
      name: "an unknown path",
      weight: 2,
      call: async () => void (await expectStatus(404, `/nothing/${Math.random()}`)),
    },
    {
      name: "a wrong key",
      weight: 2,
      call: async () => void (await expectStatus(401, "/models/usage", { headers: { "x-api-key": "ms_live_x" } })),
    },
    {
      name: "too large a body",
      weight: 1,
      call: async () => void (await post(413, "/models/recommend", { description: "x".repeat(2 ** 20) })),
    },
    {
      name: "a deadline that passes",
      weight: 3,
      call: () =>
        expectCode(
          Code.DeadlineExceeded,
          grpc.batchRecommend({ requests: Array.from({ length: 50 }, need) }, { timeoutMs: 2 }),
        ),
    },
    {
      name: "a caller who leaves",
      weight: 4,
      call: async () => {
        const leaving = new AbortController();
        setTimeout(() => leaving.abort(), Math.random() * 10);
        const sent = fetch(`${url}/models/recommend`, {
          method: "POST",
          headers,
          body: JSON.stringify(need()),
          signal: leaving.signal,
        });
        await sent.then((answer) => answer.arrayBuffer()).catch(() => {});
      },
    },
    {
      name: "a stream of health",
      weight: 2,
      call: () => watch((signal) => createClient(Health, grpcTransport).watch({}, { signal })),
    },
    { name: "a stream of matches", weight: 2, call: () => watch((signal) => interests.watchMatches({}, { signal })) },
    {
      name: "an interest, made and deleted",
      weight: 1,
      call: async () => {
        const { id } = await interests.createInterest({
          interest: { name: `soak ${Math.random()}`, description: need().description },
        });
        await sleep(Math.random() * 2_000);
        await interests.deleteInterest({ id });
      },
    },
    { name: "bytes of no protocol", weight: 2, call: () => garbage(url) },
  ];
}

/** Sends half a request or invalid bytes, then closes the connection. */
function garbage(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const bytes = [
    "GET / HT",
    "PRI * HTTP/2.0\r\n\r\nSM",
    "\0\0\0\0",
    "POST /models/recommend HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
  ];
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.on("close", () => resolve());
    socket.write(bytes[Math.floor(Math.random() * bytes.length)] as string);
    setTimeout(() => socket.resetAndDestroy(), Math.random() * 300);
  });
}
