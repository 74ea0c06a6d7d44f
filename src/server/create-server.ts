import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import cors from "@fastify/cors";
import Fastify, { type FastifyContextConfig, type FastifyInstance, LogController } from "fastify";
import { transcodingPlugin } from "../../packages/connect-transcoding/src/fastify.ts";
import type { Access } from "../access/index.ts";
import type { Config } from "../config/index.ts";
import { ServiceError } from "../error.ts";
import {
  metricsPath,
  noTelemetry,
  noTracing,
  type OpenCalls,
  type ReadMetrics,
  type Telemetry,
  type Tracing,
} from "../observe/index.ts";
import type { CallsInFlight } from "../pace/index.ts";
import {
  BurstLimiter,
  Callers,
  callInterceptors,
  checkValues,
  encodedMessageCheck,
  maxBodyBytes,
  OutageLog,
  operatorCheck,
  type Readiness,
  type Ready,
  toConnectError,
} from "../rpc/index.ts";
import { hasKeyInUrl, hideKeys } from "../text/index.ts";
import { BodyBudget } from "./body-budget.ts";
import { admitCalls } from "./callers/admit-calls.ts";
import { networkOfPeer, trustProxyOption } from "./callers/client-address.ts";
import { earlyRefusal } from "./callers/early-refusal.ts";
import { identifyCallers } from "./callers/identify-callers.ts";
import { OpenStreams } from "./callers/open-streams.ts";
import { docsPaths, docsRoutes } from "./docs/docs-routes.ts";
import { errorRegistry } from "./errors/complete-error.ts";
import { clientErrorResponse, frameworkError, restError, sendError } from "./errors/send-error.ts";
import { healthPaths, healthRoutes } from "./health.ts";
import { createListenerFactory } from "./listener/index.ts";
import { createLoopbackGuard, guardRequests } from "./loopback-guard.ts";
import { metricsRoute, observeRequests } from "./observe/observe-requests.ts";
import { noteError } from "./observe/request-record.ts";
import { mcpRoutes } from "./protocols/mcp-routes.ts";
import { rpcRoutes } from "./protocols/rpc-routes.ts";
import { beginRequests, commonHeaders, cursorOf, requestIdOf, resumeBehind } from "./request-lifetime.ts";
import { webRoutes } from "./web-routes.ts";

/** Options of createServer(). */
export interface ServerOptions {
  config: Pick<
    Config,
    | "host"
    | "tls"
    | "drainMs"
    | "corsOrigins"
    | "loopbackGuard"
    | "loopbackQuota"
    | "logLevel"
    | "provisioning"
    | "burst"
    | "trustProxy"
    | "adminToken"
    | "concurrency"
    | "connections"
    | "connectionsPerAddress"
    | "allowedHosts"
    | "publicUrl"
    | "bodyBytes"
    | "streams"
    | "keylessStreams"
  >;
  /** Registers the services. */
  routes: (router: ConnectRouter) => void;
  access: Pick<Ready<Access>, "get">;
  readiness: Readiness;
  /** Measures the requests. Default: no measurement. */
  telemetry?: Telemetry;
  /** Traces the requests. Default: no traces. */
  tracing?: Tracing;
  /** Reads the metrics, if they are served on this port. */
  readMetrics?: ReadMetrics;
  /** Records the requests in progress. Default: nothing does. */
  openCalls?: OpenCalls;
  /** Counts the calls that work in the background gives way to. */
  calls: CallsInFlight;
  /** Aborts when the server shuts down: handlers of streams end theirs. */
  shutdownSignal: AbortSignal;
  /** The time in milliseconds since 1970. Default: the system's. */
  now?: () => number;
}

/**
 * Largest request header in bytes. It has room for a need of 2,000 characters in a query, where a character can take
 * twelve bytes (`%F0%9F%A6%9C`).
 */
const MAX_HEADER_BYTES = 48 * 1024;

/** Response headers that pages of other origins may read. */
const exposedHeaders = [
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "www-authenticate",
  "grpc-status",
  "grpc-message",
  "grpc-status-details-bin",
];

/** Writes the log, without keys that callers sent in the wrong place. */
const logStream = { write: (line: string) => void process.stdout.write(hideKeys(line)) };

/** Creates the server: every protocol, health and errors, on one port. It does not listen yet. */
export async function createServer({
  config,
  routes,
  access,
  readiness,
  telemetry = noTelemetry,
  tracing = noTracing,
  readMetrics,
  openCalls,
  calls,
  shutdownSignal,
  now = Date.now,
}: ServerOptions): Promise<FastifyInstance> {
  const networkOf = networkOfPeer(config.trustProxy);
  const listenerFactory = createListenerFactory({
    drainTimeoutMs: config.drainMs,
    tls: config.tls,
    formatClientError: clientErrorResponse,
    maxHeaderBytes: MAX_HEADER_BYTES,
    maxConnections: config.connections,
    maxConnectionsPerNetwork: config.connectionsPerAddress,
    networkOf,
  });
  const burst = config.burst && new BurstLimiter(config.burst);
  /** By path. The hooks of plugins add to their configuration later. */
  const routesByPath = new Map<string, { config?: FastifyContextConfig }>();
  const refusesEarly =
    burst && earlyRefusal({ burst, routes: routesByPath, networkOf, config, telemetry, log: () => server.log });
  const server: FastifyInstance = Fastify({
    logger: { level: config.logLevel, base: null, stream: logStream },
    // One line a request is logged by observeRequests, without query, body or address.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: requestIdOf,
    requestIdHeader: false,
    // No route has a JSON schema. So the compilers of schemas, which have a hundred files, are not loaded.
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    trustProxy: trustProxyOption(config.trustProxy),
    serverFactory: (handler, options) =>
      listenerFactory(refusesEarly === undefined ? handler : refusesEarly(handler), options),
    frameworkErrors: (error, request, reply) => {
      // No hook runs for a malformed URL, so the hooks' work is done here.
      observe(request, reply);
      reply.headers(commonHeaders(request.id));
      // The framework's message repeats the URL.
      if (hasKeyInUrl(request.raw.url ?? "")) {
        sendError(toConnectError(new ServiceError("API_KEY_IN_URL")), request, reply);
      } else {
        sendError(new ConnectError(error.message, Code.InvalidArgument), request, reply, 400);
      }
    },
  });
  server.addHook("onRoute", (route) => void routesByPath.set(route.url, route));
  beginRequests(server);
  // Registered before every hook that may refuse a request, so that it sees the refused requests.
  const observe = observeRequests(server, { telemetry, tracing, openCalls });
  const guard = createLoopbackGuard(config.host, config);
  if (guard !== undefined) {
    guardRequests(server, guard);
  }
  server.setErrorHandler((error, request, reply) => {
    const { error: sent, status } = frameworkError(error, request);
    if (sent.code === Code.Unknown || sent.code === Code.Internal) {
      request.log.error({ err: error }, "request failed");
    }
    return sendError(sent, request, reply, status);
  });
  if (config.corsOrigins.length > 0) {
    await server.register(cors, {
      origin: config.corsOrigins.includes("*") ? "*" : [...config.corsOrigins],
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      exposedHeaders,
      maxAge: 7_200,
    });
  }
  const outages = new OutageLog((outage) => server.log.error(outage, "calls fail because of an outage"));
  const callers = new Callers({
    access,
    burst,
    provisioning: config.provisioning,
    checkOperator: operatorCheck(config.adminToken, (method) => {
      server.log.warn({ method }, "a wrong operator's token was refused");
    }),
    now,
  });
  identifyCallers(server, { callers, loopbackQuota: config.loopbackQuota, outages });
  const admit = admitCalls({
    publicUrl: config.publicUrl,
    isGuarded: guard !== undefined,
    streams: new OpenStreams(config.streams),
    keylessStreams: new OpenStreams(config.keylessStreams),
  });
  const connect = {
    interceptors: callInterceptors({
      shutdownSignal,
      logFailure: ({ requestId, method, error }) => server.log.error({ requestId, method, err: error }, "call failed"),
      outages,
      concurrency: config.concurrency,
      calls,
    }),
    shutdownSignal,
  };
  const bodies = new BodyBudget(config.bodyBytes);
  const bodyRoom = bodies.room.bind(bodies);
  healthRoutes(server, readiness);
  if (readMetrics !== undefined) {
    metricsRoute(server, readMetrics);
  }
  docsRoutes(server, routes);
  const web = webRoutes(server, { guarded: guard !== undefined });
  await server.register(rpcRoutes, {
    routes,
    // The registry is for google.rpc.Status in batches, whose details are Any.
    connect: { ...connect, jsonOptions: { alwaysEmitImplicit: true, registry: errorRegistry } },
    admit,
    checkValues,
    bodyRoom,
  });
  await server.register(mcpRoutes, {
    routes,
    connect,
    registry: errorRegistry,
    admit,
    bodyRoom,
    config,
    isGuarded: guard !== undefined,
  });
  await server.register(transcodingPlugin, {
    routes,
    connect,
    contextValues: admit,
    unknownBodyFields: "reject",
    checkValues,
    finiteNumbersOnly: true,
    readMaxBytes: maxBodyBytes,
    bodyRoom,
    bodyCheck: encodedMessageCheck,
    jsonOptions: { alwaysEmitImplicit: true, useProtoFieldName: true },
    registry: errorRegistry,
    errorFormatter: restError,
    answerNotFound: false,
    fillFieldMaskOnPatch: true,
    sse: { eventId: cursorOf, resume: resumeBehind },
  });
  server.setNotFoundHandler((request, reply) => {
    const url = (request.raw.url ?? "").split("?")[0] as string;
    const path = JSON.stringify(url.slice(0, 200));
    if (request.headers["content-type"]?.startsWith("application/grpc")) {
      return sendError(toConnectError(new ServiceError("METHOD_UNKNOWN", { method: path })), request, reply, 501);
    }
    const pages = [...healthPaths, ...docsPaths, ...web.paths, ...(readMetrics === undefined ? [] : [metricsPath])];
    if (pages.some((known) => known === url)) {
      const params = { method: request.method, path, allow: "GET, HEAD" };
      const error = toConnectError(new ServiceError("METHOD_NOT_ALLOWED", params));
      return sendError(error, request, reply.header("allow", params.allow), 405);
    }
    const error = toConnectError(new ServiceError("PATH_NOT_FOUND", { path }));
    const page = web.sendNotFound(request, reply);
    if (page !== undefined) {
      noteError(request, error);
      return page;
    }
    return sendError(error, request, reply, 404);
  });
  return server;
}

function refuseSchema(): never {
  throw new Error("a route has a JSON schema, but this server loads no compiler of schemas");
}
