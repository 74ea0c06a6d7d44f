import { Code } from "@connectrpc/connect";
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { httpStatus } from "../../../packages/connect-transcoding/src/index.ts";
import type { Tier } from "../../access/caller.ts";
import { metricsPath, type Protocol, type ReadMetrics } from "../../observe/index.ts";
import { methodAccess } from "../../rpc/index.ts";
import { hasKeyInUrl } from "../../text/index.ts";
import { codeName, mcpPath } from "../errors/send-error.ts";
import { whenClosed } from "../request-lifetime.ts";
import { beginRecord, isStream, type RequestObservers, type RequestRecord, rpcOf } from "./request-record.ts";

/** The protocol of a request, from its content type, its path, and whether it is a call. */
export function protocolName({ headers, raw, record }: Pick<FastifyRequest, "headers" | "raw" | "record">): Protocol {
  const type = headers["content-type"] ?? "";
  if (type.startsWith("application/grpc-web")) {
    return "grpc-web";
  }
  if (type.startsWith("application/grpc")) {
    return "grpc";
  }
  if (raw.url?.split("?", 1)[0] === mcpPath) {
    return "mcp";
  }
  const { method } = record ?? {};
  if (method === undefined) {
    return "http";
  }
  return raw.url?.startsWith(`/${method.parent.typeName}/`) ? "connect" : "rest";
}

/** Enough to recognise a path; callers can send longer ones. */
const MAX_PATH_CHARS = 200;

/** The limits of errors, by their reasons. */
const limitOf: Readonly<Record<string, string>> = {
  QUOTA_EXHAUSTED: "daily",
  BURST_EXCEEDED: "burst",
  OVERLOADED: "load",
};

/**
 * Logs one line for each request when it ends, and records the metrics. No query, body, key or address is logged.
 * Requests of monitors, which come every few seconds, are logged at the level debug.
 *
 * @returns observes a request that fails before any hook runs. A hook does it for all others.
 */
export function observeRequests(
  server: FastifyInstance,
  observers: RequestObservers,
): (request: FastifyRequest, reply: FastifyReply) => void {
  server.decorateRequest("record", undefined);
  server.addHook("onRequest", (request, reply, done) => {
    begin(request, reply);
    const { span } = request.record ?? {};
    if (span === undefined) {
      done();
    } else {
      span.run(done);
    }
  });

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    beginRecord(request, observers, audienceOf(request) !== "monitors");
    const began = performance.now();
    // Emitted for every request, also if its caller leaves, and for answers that bypass Fastify.
    whenClosed(reply, () => finish(request, reply, performance.now() - began));
  }

  function finish(request: FastifyRequest, reply: FastifyReply, ms: number): void {
    const { record } = request;
    if (record === undefined) {
      return;
    }
    const { telemetry, openCalls } = observers;
    if (record.openCall !== undefined) {
      openCalls?.end(record.openCall);
    }
    const { headersSent, statusCode, writableEnded } = reply.raw;
    const wasLeft = !writableEnded && record.code === undefined;
    const code = wasLeft ? Code.Canceled : record.code;
    const codeText = code === undefined ? "OK" : codeName(code);
    const audience = audienceOf(request);
    const protocol = protocolName(request);
    const rpc = record.method && rpcOf(record.method);
    const tier = callerKind(request);
    const line = {
      method: request.method,
      path: pathOf(request),
      ...(rpc === undefined ? {} : { rpc }),
      protocol,
      ...(tier === undefined ? {} : { tier }),
      status: headersSent ? statusCode : httpStatus(Code.Canceled),
      code: codeText,
      ...(record.reason === undefined ? {} : { reason: record.reason }),
      ms: rounded(ms),
      ...stagesOf(record),
      ...(record.span === undefined ? {} : { traceId: record.span.traceId }),
    };
    request.log[audience === "monitors" ? "debug" : "info"](line, "request");

    const place =
      audience === "monitors"
        ? "monitoring"
        : audience === "everyone"
          ? "page"
          : protocol === "mcp"
            ? "mcp"
            : "unknown";
    const done = { method: rpc ?? place, protocol, code: codeText, seconds: ms / 1_000 };
    telemetry.requestDone({ ...done, stages: record.stages });
    record.span?.end({ ...done, httpMethod: request.method, httpStatus: line.status, tier, reason: record.reason });
    const limit = limitOf[record.reason ?? ""];
    if (limit !== undefined) {
      telemetry.refused(limit, tier ?? "unknown");
    }
    if (isStream(record)) {
      telemetry.streams(rpc as string, -1);
    }
  }

  return begin;
}

/** The tier of the caller; operators have none. Undefined if nobody was identified. */
function callerKind({ record, caller }: FastifyRequest): Tier | "operator" | undefined {
  const isOperators = record?.method !== undefined && methodAccess(record.method).tier === "operator";
  return caller !== undefined && isOperators ? "operator" : caller?.tier;
}

/** Without routing a request has no configuration, although its type says so. */
function audienceOf(request: FastifyRequest): FastifyContextConfig["audience"] {
  return (request.routeOptions.config as FastifyContextConfig | undefined)?.audience;
}

function pathOf({ raw }: FastifyRequest): string {
  const url = raw.url ?? "";
  if (hasKeyInUrl(url)) {
    return "(withheld: the URL has a key)";
  }
  return (url.split("?")[0] as string).slice(0, MAX_PATH_CHARS);
}

function stagesOf({ stages }: RequestRecord): { stages?: Record<string, number> } {
  const times = Object.entries(stages).map(([name, ms]) => [name, rounded(ms)]);
  return times.length > 0 ? { stages: Object.fromEntries(times) } : {};
}

/** Milliseconds to the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

/** Serves the metrics on the port of the service. */
export function metricsRoute(server: FastifyInstance, read: ReadMetrics): void {
  const readBriefly = keptBriefly(read);
  server.get(metricsPath, { config: { audience: "monitors" } }, async (_request, reply) => {
    const { type, body } = await readBriefly();
    return reply.header("cache-control", "no-store").type(type).send(body);
  });
}

/** How long the same text of metrics is sent again after it was made, in milliseconds. */
const KEPT_MS = 250;

/**
 * Makes a text at most four times a second, and one at a time, however many callers ask: each takes milliseconds of the
 * event loop and queries of the state.
 *
 * @param now a clock in milliseconds that never goes back.
 */
export function keptBriefly(read: ReadMetrics, now = () => performance.now()): ReadMetrics {
  /** `until` is undefined while the text is being made. */
  let kept: { text: ReturnType<ReadMetrics>; until: number | undefined } | undefined;
  return () => {
    if (kept === undefined || (kept.until !== undefined && now() >= kept.until)) {
      const made: typeof kept = { text: read(), until: undefined };
      const keepFor = (ms: number) => () => {
        made.until = now() + ms;
      };
      // A failure is not kept.
      made.text.then(keepFor(KEPT_MS), keepFor(0));
      kept = made;
    }
    return kept.text;
  };
}
