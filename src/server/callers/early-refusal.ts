import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import { Code } from "@connectrpc/connect";
import { errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import type { FastifyBaseLogger, FastifyContextConfig } from "fastify";
import type { Config } from "../../config/index.ts";
import type { Protocol, Telemetry } from "../../observe/index.ts";
import { type BurstLimiter, bucketOf, burstExceeded, callerHeaders, keysOf, toConnectError } from "../../rpc/index.ts";
import { errorRegistry } from "../errors/complete-error.ts";
import { endOfStream, isConnectStream, plainGrpcMessage } from "../errors/complete-response.ts";
import { codeName, isRpcPath, mcpPath, restErrorBody } from "../errors/send-error.ts";
import { requestIdOf } from "../request-lifetime.ts";

/** Options of earlyRefusal(). */
export interface EarlyRefusalOptions {
  burst: BurstLimiter;
  /** The routes by their paths. */
  routes: ReadonlyMap<string, { config?: FastifyContextConfig }>;
  /** The network of a connection's address; undefined for a trusted proxy. */
  networkOf: (address: string) => string | undefined;
  config: Pick<Config, "provisioning" | "corsOrigins">;
  telemetry: Telemetry;
  /** Logs the number of refusals, at most once in ten seconds. */
  log: () => Pick<FastifyBaseLogger, "warn">;
}

/** How often refusals are logged. */
const LOG_EVERY_MS = 10_000;
/** Cached answers: waits are whole milliseconds, and seldom more than a few. */
const MOST_ANSWERS = 256;

/** Answers a request of Node's server. */
type RequestListener = (request: IncomingMessage, response: ServerResponse) => void;

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
}

/**
 * Refuses requests of clients whose bucket of the burst limit is empty before any other work: a flood of refused calls
 * must cost less than the calls. It takes nothing from the buckets; the limit itself comes later.
 *
 * @returns wraps a listener, which then gets the requests that are not refused.
 */
export function earlyRefusal({
  burst,
  routes,
  networkOf,
  config,
  telemetry,
  log,
}: EarlyRefusalOptions): (listener: RequestListener) => RequestListener {
  // Owners have their own buckets, and pages of allowed origins may read refusals.
  const isUnclear = ({ headers }: IncomingMessage) =>
    keysOf(headers, config.provisioning).length > 0 || (config.corsOrigins.length > 0 && "origin" in headers);
  const answers = new Map<string, Answer>();
  let refused = 0;

  const count = (protocol: Protocol) => {
    const code = codeName(Code.ResourceExhausted);
    telemetry.requestDone({ method: "unknown", protocol, code, seconds: 0, stages: {} });
    telemetry.refused("burst", "unknown");
    refused += 1;
    if (refused > 1) {
      return;
    }
    const report = () => {
      log().warn({ refused }, "requests beyond the burst limit were refused in the last ten seconds");
      refused = 0;
    };
    setTimeout(report, LOG_EVERY_MS).unref();
  };

  return (listener) => (request, response) => {
    const network = networkOf(request.socket?.remoteAddress ?? "");
    if (network === undefined || isUnclear(request)) {
      listener(request, response);
      return;
    }
    const path = (request.url ?? "").split("?", 1)[0] as string;
    const bucket = bucketOf(routes.get(path)?.config ?? {}, network);
    if (bucket === undefined || burst.remaining(bucket) >= 1) {
      listener(request, response);
      return;
    }
    const type = request.headers["content-type"] ?? "";
    const protocol = protocolOf(path, type);
    const isStream = isConnectStream(type);
    const key = `${protocol} ${isStream} ${burst.waitMs(bucket)}`;
    const answer = answers.get(key) ?? answerOf(burst, bucket, protocol, isStream);
    if (answers.size < MOST_ANSWERS) {
      answers.set(key, answer);
    }
    const isOfItsType = isStream || protocol === "grpc" || protocol === "grpc-web";
    const headers = {
      ...answer.headers,
      ...(isOfItsType ? { "content-type": type } : {}),
      "x-request-id": requestIdOf(request),
    };
    count(protocol);
    send(response, { ...answer, headers });
  };
}

function protocolOf(path: string, type: string): Protocol {
  if (type.startsWith("application/grpc-web")) {
    return "grpc-web";
  }
  if (type.startsWith("application/grpc")) {
    return "grpc";
  }
  if (path === mcpPath) {
    return "mcp";
  }
  return isRpcPath(path) || type.startsWith("application/connect+") ? "connect" : "rest";
}

function answerOf(burst: BurstLimiter, bucket: string, protocol: Protocol, isStream: boolean): Answer {
  const error = toConnectError(burstExceeded(burst, bucket));
  const metadata = Object.fromEntries(error.metadata);
  if (protocol === "grpc" || protocol === "grpc-web") {
    const trailer = new Headers();
    setTrailerStatus(trailer, error);
    plainGrpcMessage(trailer);
    return { status: 200, headers: { ...callerHeaders, ...Object.fromEntries(trailer) }, body: undefined };
  }
  if (isStream) {
    const body = endOfStream(error);
    return { status: 200, headers: { ...callerHeaders, "content-length": String(body.length) }, body };
  }
  const body =
    protocol === "connect"
      ? errorToJsonBytes(error, undefined)
      : Buffer.from(JSON.stringify(restErrorBody(error, 429, errorRegistry)));
  const headers = {
    ...callerHeaders,
    ...metadata,
    "content-type": "application/json",
    "content-length": String(body.length),
  };
  return { status: 429, headers, body };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (!("stream" in response)) {
    // Otherwise the server would have to refuse each request that is pipelined after this one.
    response.writeHead(status, { ...headers, connection: "close" }).end(body);
    return;
  }
  const stream = response.stream as ServerHttp2Stream;
  if (stream.destroyed || stream.closed) {
    return;
  }
  // Without a body the status of gRPC is in the headers, which must then end the stream.
  stream.respond({ ":status": status, ...headers }, { endStream: body === undefined });
  if (body !== undefined) {
    stream.end(body);
  }
}
