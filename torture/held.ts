import { once } from "node:events";
import { request as http1Request, type IncomingMessage } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { RecommendRequestSchema } from "../gen/modelscout/v1/recommendation_pb.ts";

/** A running service without other callers. Its Free tier has 10 recommendations a day. */
export interface HeldOptions {
  url: string;
  /** Calls at the same time in each protocol variant. */
  callsEach: number;
  /** Slow clients of each kind. */
  peers: number;
  /** The kinds of slow clients. */
  kinds: readonly SlowKind[];
  /** Called with lines about the progress. */
  tell: (line: string) => void;
}

export type SlowKind = "header" | "body" | "reader";

/** The daily quota of a Free caller. */
const PER_DAY = 10;
/** Milliseconds after which the service must have closed each slow client, also on a slow machine. */
const SLOW_ENDS_WITHIN_MS = 150_000;
const HEALTHY_WITHIN_MS = 5_000;
const MOST_GROWTH_MB = 512;

const path = "/models/recommend";
const rpc = "/modelscout.v1.RecommendationService/Recommend";
const need = JSON.stringify({ description: "write a poem", top_k: 1 });
const message = toBinary(
  RecommendRequestSchema,
  create(RecommendRequestSchema, { description: "write a poem", topK: 1 }),
);
const query = "?q=write+a+poem&top_k=1";

type Outcome = "answered" | "refused" | string;
type Headers = Record<string, string>;

/**
 * Checks two promises of the service: calls over many protocols at once share one quota, and slow clients block no
 * others.
 *
 * @returns the broken promises; empty if there are none.
 */
export async function held({ url, callsEach, peers, kinds, tell }: HeldOptions): Promise<string[]> {
  const problems = await quotaHolds(url, callsEach, tell);
  for (const kind of kinds) {
    problems.push(...(await slowPeersHoldNobody(url, kind, peers, tell)));
  }
  return problems;
}

async function quotaHolds(url: string, callsEach: number, tell: (line: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const ways = Object.entries(waysToCall(url));
  const ended = await Promise.all(
    ways.flatMap(([name, call]) =>
      Array.from({ length: callsEach }, async () => ({
        name,
        outcome: await call().catch((error) => `failed: ${error}`),
      })),
    ),
  );
  const answered = ended.filter(({ outcome }) => outcome === "answered");
  for (const { name, outcome } of ended) {
    if (outcome !== "answered" && outcome !== "refused") {
      problems.push(`${name}: ${outcome}`);
    }
  }
  const { used } = JSON.parse((await get(url, "/models/usage")).text) as { used: number };
  tell(`${ended.length} calls in ${ways.length} variants: ${answered.length} answered, ${used} counted`);
  if (answered.length !== PER_DAY || used !== PER_DAY) {
    problems.push(`${answered.length} calls were answered and ${used} counted; ${PER_DAY} is right`);
  }
  return problems;
}

/** Every protocol variant of a recommendation without a key. */
function waysToCall(url: string): Record<string, () => Promise<Outcome>> {
  const json = { "content-type": "application/json" };
  const post = (target: string, headers: Headers, body: string | Uint8Array, method = "POST") =>
    overHttp1(url, method, target, headers, body);
  return {
    POST: () => post(path, json, need),
    "POST over HTTP/2": () => overHttp2(url, "POST", path, json, need),
    "POST, compressed": () => post(path, { ...json, "content-encoding": "gzip" }, gzipSync(need)),
    "POST, percent-encoded": () => post("/models/%72ecommend", json, need),
    "POST with a method to override": () => post(path, { ...json, "x-http-method-override": "PUT" }, need),
    GET: () => overHttp1(url, "GET", path + query),
    "GET over HTTP/2": () => overHttp2(url, "GET", path + query),
    "GET, percent-encoded": () => overHttp1(url, "GET", `/%6Dodels/recommen%64${query}`),
    "GET in absolute form": () => overHttp1(url, "GET", `${url}${path}${query}`),
    "GET over HTTP/1.0": () => overHttp10(url, path + query),
    "GET as forwarded": () => overHttp1(url, "GET", path + query, { "x-forwarded-for": randomAddress() }),
    "GET as forwarded, by the standard": () =>
      overHttp1(url, "GET", path + query, { forwarded: `for=${randomAddress()}` }),
    HEAD: () => overHttp1(url, "HEAD", path + query),
    Connect: () => post(rpc, json, need),
    "Connect, binary over HTTP/2": () => overHttp2(url, "POST", rpc, { "content-type": "application/proto" }, message),
    "Connect by GET, which counted methods do not have": () =>
      overHttp1(url, "GET", `${rpc}?encoding=json&message=${encodeURIComponent(need)}`),
    gRPC: () => overHttp2(url, "POST", rpc, { "content-type": "application/grpc", te: "trailers" }, envelope(message)),
    "gRPC-Web": () => post(rpc, { "content-type": "application/grpc-web+proto" }, envelope(message)),
    "a batch, which Free callers do not have": () => post(`${path}:batch`, json, `{"requests":[${need}]}`),
  };
}

const randomAddress = () => `198.51.100.${1 + Math.floor(Math.random() * 250)}`;

function envelope(bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Classifies an answer by its HTTP and gRPC status. */
function outcomeOf(status: number, grpcStatus: string | undefined): Outcome {
  if (grpcStatus !== undefined && grpcStatus !== "0") {
    return grpcStatus === "8" ? "refused" : `gRPC status ${grpcStatus}`;
  }
  if (status === 200) {
    return "answered";
  }
  return [403, 405, 429].includes(status) ? "refused" : `status ${status}`;
}

async function overHttp1(
  url: string,
  method: string,
  target: string,
  headers: Headers = {},
  body?: string | Uint8Array,
): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const sent = http1Request({ hostname, port, method, path: target, headers: { ...length, ...headers }, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
  }
  const inHeader = answer.headers["grpc-status"] as string | undefined;
  return outcomeOf(
    answer.statusCode ?? 0,
    inHeader ?? /grpc-status: ?(\d+)/.exec(Buffer.concat(chunks).toString("latin1"))?.[1],
  );
}

async function overHttp2(
  url: string,
  method: string,
  target: string,
  headers: Headers = {},
  body?: string | Uint8Array,
): Promise<Outcome> {
  const session = connectHttp2(url);
  try {
    const stream = session.request(
      { ":method": method, ":path": target, ...headers },
      { endStream: body === undefined },
    );
    if (body !== undefined) {
      stream.end(body);
    }
    let grpcStatus: string | undefined;
    stream.on("trailers", (trailers) => {
      grpcStatus = trailers["grpc-status"] as string | undefined;
    });
    const [answered] = (await once(stream, "response")) as [Record<string, unknown>];
    stream.resume();
    await once(stream, "close");
    return outcomeOf(answered[":status"] as number, (answered["grpc-status"] as string | undefined) ?? grpcStatus);
  } finally {
    session.destroy();
  }
}

async function overHttp10(url: string, target: string): Promise<Outcome> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${target} HTTP/1.0\r\nHost: ${hostname}\r\n\r\n`);
  let text = "";
  for await (const chunk of socket) {
    text += (chunk as Buffer).toString("latin1");
  }
  return outcomeOf(Number(/^HTTP\/1\.\d (\d{3})/.exec(text)?.[1] ?? 0), undefined);
}

/** The first bytes of a slow client, and the bytes that it sends one in each second; none if it only reads slowly. */
const beginnings: Readonly<Record<SlowKind, { first: string; each: string }>> = {
  header: { first: "GET /models/families HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", each: "x" },
  body: {
    first:
      "POST /models/recommend HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{",
    each: " ",
  },
  // Many requests at once, whose answers are not read.
  reader: { first: "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(40), each: "" },
};

/** Opens slow clients, and makes normal calls at the same time. The service must close each slow client. */
async function slowPeersHoldNobody(
  url: string,
  kind: SlowKind,
  peers: number,
  tell: (line: string) => void,
): Promise<string[]> {
  const problems: string[] = [];
  const { hostname, port } = new URL(url);
  const { first, each } = beginnings[kind];
  const startMb = await residentMb(url);
  const open = new Set<Socket>();
  for (let i = 0; i < peers; i++) {
    const socket = connect(Number(port), hostname);
    open.add(socket);
    if (kind === "reader") {
      socket.pause();
    } else {
      socket.resume();
    }
    // A connection that the service resets is closed too.
    socket.on("error", () => {}).on("close", () => open.delete(socket));
    socket.write(first);
  }
  const began = performance.now();
  let [asked, slowestMs, mostMb] = [0, 0, startMb];
  while (open.size > 0 && performance.now() - began < SLOW_ENDS_WITHIN_MS) {
    // A paused socket notices its end only when it writes.
    for (const socket of open) {
      socket.write(each === "" ? "\r\n" : each);
    }
    const sent = performance.now();
    const status = await get(url, "/healthz").then(
      (answer) => answer.status,
      (error: unknown) => `${error}`,
    );
    asked += 1;
    slowestMs = Math.max(slowestMs, performance.now() - sent);
    if (status !== 200) {
      problems.push(`slow ${kind}: /healthz answered ${status} at the same time`);
    }
    // If the metrics are late too, /healthz has shown it.
    mostMb = Math.max(mostMb, await residentMb(url).catch(() => mostMb));
    await sleep(1_000);
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  tell(
    `slow ${kind}: ${peers} clients closed within ${seconds} s; /healthz ${asked} times in ${slowestMs.toFixed(0)} ms at most; ${startMb.toFixed(0)} to ${mostMb.toFixed(0)} MB`,
  );
  if (open.size > 0) {
    problems.push(`slow ${kind}: ${open.size} of ${peers} clients are still connected after ${seconds} s`);
  }
  if (mostMb - startMb > MOST_GROWTH_MB) {
    problems.push(`slow ${kind}: memory grew by ${(mostMb - startMb).toFixed(0)} MB`);
  }
  for (const socket of open) {
    socket.destroy();
  }
  return problems;
}

async function residentMb(url: string): Promise<number> {
  const { text } = await get(url, "/metrics");
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1024 / 1024;
}

/** Calls over a new connection: the service may close a kept one at the moment of its use. */
async function get(url: string, target: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  const signal = AbortSignal.timeout(HEALTHY_WITHIN_MS);
  const sent = http1Request({ hostname, port, path: target, agent: false, signal });
  sent.end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
}
