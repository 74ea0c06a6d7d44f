/**
 * Calls a server over many connections, one call at a time on each, from a separate process.
 *   node bench/support/generate-load.ts '{"url": …}'   (LoadPlan as JSON)
 * Prints LoadResult as JSON.
 */
import { Agent, request } from "node:http";
import { connect, constants } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { create, toBinary } from "@bufbuild/protobuf";
import { RecommendRequestSchema } from "../../gen/modelscout/v1/recommendation_pb.ts";
import { scaleNeeds } from "../scale/scale-needs.ts";

/** The server and the calls. */
export interface LoadPlan {
  url: string;
  /** REST, Connect JSON and gRPC recommendations, or a GET of `/`. */
  protocol: "REST" | "Connect" | "gRPC" | "GET";
  connections: number;
  seconds: number;
  key?: string;
  /** How long a connection waits after a refusal, in milliseconds. Default: as long as the service asks for. */
  restMs?: number;
}

/** The results of the calls. */
export interface LoadResult {
  /** The times of answered calls, in milliseconds. */
  answeredMs: number[];
  /** The times of calls that were refused because of the load, in milliseconds. */
  refusedMs: number[];
  /** The numbers of other answers, by status. */
  failed: Record<string, number>;
  seconds: number;
}

/** Makes one call. @returns the HTTP status, or the one that corresponds to the gRPC status. */
type Call = (i: number) => Promise<number>;

/** How long the service asks refused callers to wait, in milliseconds. */
const RETRY_AFTER_MS = 1_000;
const REFUSED = 503;
const GRPC_UNAVAILABLE = 14;
const rpc = "/modelscout.v1.RecommendationService/Recommend";

if (import.meta.main) {
  console.log(JSON.stringify(await generate(JSON.parse(process.argv[2] as string) as LoadPlan)));
}

async function generate(plan: LoadPlan): Promise<LoadResult> {
  const result: LoadResult = { answeredMs: [], refusedMs: [], failed: {}, seconds: 0 };
  const began = performance.now();
  const end = began + plan.seconds * 1_000;
  const open = plan.protocol === "gRPC" ? grpcCall : httpCall;
  const workers = Array.from({ length: plan.connections }, async (_, worker) => {
    const { call, close } = open(plan);
    // Each worker begins with another need.
    for (let i = worker * 7; performance.now() < end; i++) {
      const sent = performance.now();
      const status = await call(i).catch((error: Error) => error.message);
      const ms = performance.now() - sent;
      if (status === 200) {
        result.answeredMs.push(ms);
      } else if (status === REFUSED) {
        result.refusedMs.push(ms);
        // The connections must not all return at once.
        await sleep((plan.restMs ?? RETRY_AFTER_MS) * (0.5 + Math.random()));
      } else {
        result.failed[status] = (result.failed[status] ?? 0) + 1;
      }
    }
    close();
  });
  await Promise.all(workers);
  result.seconds = (performance.now() - began) / 1_000;
  return result;
}

function httpCall({ url, protocol, key }: LoadPlan): { call: Call; close(): void } {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const path = { REST: "/models/recommend", Connect: rpc, GET: "/", gRPC: "" }[protocol];
  const bodies = protocol === "GET" ? [""] : scaleNeeds.map((need) => JSON.stringify(need));
  const call: Call = (i) =>
    new Promise((resolve, reject) => {
      const body = bodies[i % bodies.length] as string;
      const headers: Record<string, string | number> = { "content-length": Buffer.byteLength(body) };
      if (protocol !== "GET") {
        headers["content-type"] = "application/json";
      }
      if (key !== undefined) {
        headers["x-api-key"] = key;
      }
      const method = protocol === "GET" ? "GET" : "POST";
      const sent = request({ hostname, port, path, method, agent, headers }, (answer) => {
        answer.resume();
        answer.on("error", reject);
        answer.on("end", () => resolve(answer.statusCode ?? 0));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  return { call, close: () => agent.destroy() };
}

function grpcCall({ url, key }: LoadPlan): { call: Call; close(): void } {
  const session = connect(url);
  session.on("error", () => {});
  const frames = scaleNeeds.map((need) => {
    const message = toBinary(RecommendRequestSchema, create(RecommendRequestSchema, need));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.byteLength, 1);
    return Buffer.concat([head, message]);
  });
  const headers = {
    ":method": "POST",
    ":path": rpc,
    "content-type": "application/grpc",
    te: "trailers",
    ...(key === undefined ? {} : { "x-api-key": key }),
  };
  const call: Call = (i) =>
    new Promise((resolve, reject) => {
      const stream = session.request(headers);
      let grpcStatus: string | undefined;
      stream.on("trailers", (trailers) => {
        grpcStatus = trailers["grpc-status"] as string;
      });
      stream.on("response", (head) => {
        grpcStatus = (head["grpc-status"] as string | undefined) ?? grpcStatus;
      });
      stream.on("error", reject);
      stream.on("close", () => {
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) {
          reject(new Error(`reset ${stream.rstCode}`));
        } else if (grpcStatus === "0") {
          resolve(200);
        } else {
          resolve(Number(grpcStatus) === GRPC_UNAVAILABLE ? REFUSED : 1_000 + Number(grpcStatus));
        }
      });
      stream.resume();
      stream.end(frames[i % frames.length]);
    });
  return { call, close: () => session.close() };
}
