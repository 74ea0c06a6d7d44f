import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";
import { Code } from "@connectrpc/connect";
import { errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { setTrailerStatus } from "@connectrpc/connect/protocol-grpc";
import type { FastifyBaseLogger, FastifyContextConfig } from "fastify";
import { addressNetwork } from "../../access/index.ts";
import type { Protocol, Telemetry } from "../../observe/index.ts";
import { type BurstLimiter, bucketOf, burstExceeded, toConnectError } from "../../rpc/index.ts";
import { errorRegistry } from "../errors/complete-error.ts";
import { plainGrpcMessage } from "../errors/complete-response.ts";
import { codeName, restErrorBody } from "../errors/rest-error.ts";
import { isRpcPath } from "../errors/send-error.ts";
import { requestIdOf } from "../request-headers.ts";

/** What is refused with as little work as possible. */
export interface EarlyRefusalOptions {
  burst: BurstLimiter;
  /** What a path is for; undefined where it has no route of its own. */
  configOf: (path: string) => FastifyContextConfig | undefined;
  /** Whether a request may be another client's than its bucket says, or needs headers that are made later. */
  isUnclear: (request: IncomingMessage) => boolean;
  telemetry: Telemetry;
  /** Is told how many were refused, at most once in ten seconds. */
  log: () => Pick<FastifyBaseLogger, "warn">;
}

/** How often the log tells of refusals. */
const LOG_EVERY_MS = 10_000;
/** Answers that are kept: waits are whole milliseconds, and seldom more than a few. */
const MOST_ANSWERS = 256;

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array | undefined;
}

/**
 * Refuses requests of clients whose bucket of the burst limit is empty before anything else is done with them: a flood
 * of refused calls must cost less than the calls. Takes nothing from buckets; what is not refused here comes to the
 * limit in its turn.
 *
 * @returns what refuses a request, and says whether it did.
 */
export function earlyRefusal({ burst, configOf, isUnclear, telemetry, log }: EarlyRefusalOptions) {
  const answers = new Map<string, Answer>();
  let refused = 0;

  const count = (protocol: Protocol) => {
    telemetry.requestDone({ method: "unknown", protocol, code: codeName(Code.ResourceExhausted), seconds: 0 });
    telemetry.refused("burst", "unknown");
    refused += 1;
    if (refused > 1) {
      return;
    }
    const tell = () => {
      log().warn({ refused }, "requests beyond the burst limit were refused in the last ten seconds");
      refused = 0;
    };
    setTimeout(tell, LOG_EVERY_MS).unref();
  };

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (isUnclear(request)) {
      return false;
    }
    const path = (request.url ?? "").split("?", 1)[0] as string;
    const bucket = bucketOf(configOf(path) ?? {}, addressNetwork(request.socket?.remoteAddress ?? ""));
    if (bucket === undefined || burst.remaining(bucket) >= 1) {
      return false;
    }
    const type = request.headers["content-type"] ?? "";
    const protocol = protocolOf(path, type);
    const key = `${protocol} ${burst.waitMs(bucket)}`;
    const answer = answers.get(key) ?? answerOf(burst, bucket, protocol);
    if (answers.size < MOST_ANSWERS) {
      answers.set(key, answer);
    }
    const isGrpc = protocol === "grpc" || protocol === "grpc-web";
    const headers = {
      ...answer.headers,
      ...(isGrpc ? { "content-type": type } : {}),
      "x-request-id": requestIdOf(request.headers),
    };
    count(protocol);
    send(response, { ...answer, headers });
    return true;
  };
}

function protocolOf(path: string, type: string): Protocol {
  if (type.startsWith("application/grpc-web")) {
    return "grpc-web";
  }
  if (type.startsWith("application/grpc")) {
    return "grpc";
  }
  return isRpcPath(path) || type.startsWith("application/connect+") ? "connect" : "rest";
}

function answerOf(burst: BurstLimiter, bucket: string, protocol: Protocol): Answer {
  const error = toConnectError(burstExceeded(burst, bucket));
  const metadata = Object.fromEntries(error.metadata);
  const common = { vary: "X-API-Key", "cache-control": "no-store" };
  if (protocol === "grpc" || protocol === "grpc-web") {
    const trailer = new Headers();
    setTrailerStatus(trailer, error);
    plainGrpcMessage(trailer);
    return { status: 200, headers: { ...common, ...Object.fromEntries(trailer) }, body: undefined };
  }
  const body =
    protocol === "connect"
      ? errorToJsonBytes(error, undefined)
      : Buffer.from(JSON.stringify(restErrorBody(error, 429, errorRegistry)));
  const headers = { ...common, ...metadata, "content-type": "application/json", "content-length": String(body.length) };
  return { status: 429, headers, body };
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  if (!("stream" in response)) {
    // Else the requests that are pipelined behind this one would each be refused, at a cost.
    response.writeHead(status, { ...headers, connection: "close" }).end(body);
    return;
  }
  const stream = response.stream as ServerHttp2Stream;
  if (stream.destroyed || stream.closed) {
    return;
  }
  // Without a body the status of gRPC is in the header, which has to end the stream for that.
  stream.respond({ ":status": status, ...headers }, { endStream: body === undefined });
  if (body !== undefined) {
    stream.end(body);
  }
}
