import { Code, ConnectError, type ConnectRouter, type ContextValues, createContextValues } from "@connectrpc/connect";
import cors from "@fastify/cors";
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import type { Config } from "../config.ts";
import { ServiceError } from "../error.ts";
import { checkValues } from "../rpc/check-values.ts";
import { toConnectError } from "../rpc/connect-error.ts";
import { errorInterceptor } from "../rpc/error-interceptor.ts";
import { requestIdKey } from "../rpc/request-id.ts";
import { transcoding } from "../transcoding/index.ts";
import { clientErrorResponse } from "./client-error-response.ts";
import { connectPlugin } from "./connect-plugin.ts";
import { errorRegistry } from "./error-registry.ts";
import { frameworkError } from "./framework-error.ts";
import { healthPaths, healthRoutes, type Readiness } from "./health.ts";
import { createListenerFactory } from "./listener/index.ts";
import { isLoopbackHost, refuseForeign } from "./loopback-guard.ts";
import { requestIdOf } from "./request-id.ts";
import { restError } from "./rest-error.ts";
import { sendError } from "./send-error.ts";

/** What the server serves. */
export interface ServerOptions {
  config: Pick<Config, "host" | "tls" | "drainMs" | "corsOrigins" | "loopbackGuard" | "logLevel">;
  /** Registers the services. */
  routes: (router: ConnectRouter) => void;
  readiness: Readiness;
  /** Aborts when the server shuts down: handlers of streams end theirs. */
  shutdownSignal: AbortSignal;
}

/** Largest request body in bytes, after decompression. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Largest request header in bytes. A need of 2,000 characters goes into a query too, where a character can take twelve
 * bytes (`%F0%9F%A6%9C`).
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

/** Makes the server: every protocol, health and errors, on one port. It does not listen yet. */
export async function createServer({
  config,
  routes,
  readiness,
  shutdownSignal,
}: ServerOptions): Promise<FastifyInstance> {
  const server = Fastify({
    logger: { level: config.logLevel, base: null },
    // One line a request is logged below, without query, body or address.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestIdOf(request.headers),
    requestIdHeader: false,
    bodyLimit: MAX_BODY_BYTES,
    serverFactory: createListenerFactory({
      drainTimeoutMs: config.drainMs,
      tls: config.tls,
      formatClientError: clientErrorResponse,
      maxHeaderBytes: MAX_HEADER_BYTES,
    }),
    frameworkErrors: (error, request, reply) => {
      sendError(
        new ConnectError(error.message, Code.InvalidArgument),
        request,
        reply.header("x-request-id", request.id),
        400,
      );
    },
  });
  const guarded = config.loopbackGuard && isLoopbackHost(config.host);
  server.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    const refusal = guarded ? refuseForeign(request.headers, config.corsOrigins) : undefined;
    if (refusal !== undefined) return sendError(toConnectError(refusal), request, reply);
  });
  server.addHook("onResponse", async (request, reply) => {
    const { method, id } = request;
    const path = (request.raw.url ?? "").split("?")[0];
    request.log.info(
      { requestId: id, method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "request",
    );
  });
  server.setErrorHandler((error, request, reply) => {
    const told = frameworkError(error, request);
    const { code } = told.error;
    if (code === Code.Unknown || code === Code.Internal) request.log.error({ err: error }, "request failed");
    return sendError(told.error, request, reply, told.status);
  });
  if (config.corsOrigins.length > 0) {
    await server.register(cors, {
      origin: config.corsOrigins.includes("*") ? "*" : [...config.corsOrigins],
      methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
      exposedHeaders,
      maxAge: 7_200,
    });
  }
  const contextValues = (request: FastifyRequest): ContextValues => createContextValues().set(requestIdKey, request.id);
  const connect = {
    interceptors: [
      errorInterceptor(({ requestId, method, error }) =>
        server.log.error({ requestId, method, err: error }, "call failed"),
      ),
    ],
    shutdownSignal,
  };
  healthRoutes(server, readiness);
  await server.register(connectPlugin, {
    routes,
    // The registry is for google.rpc.Status in batches, whose details are Any.
    connect: { ...connect, jsonOptions: { alwaysEmitImplicit: true, registry: errorRegistry } },
    contextValues,
    maxBodyBytes: MAX_BODY_BYTES,
    checkValues,
  });
  await server.register(transcoding, {
    routes,
    connect,
    contextValues,
    unknownBodyFields: "reject",
    checkValues,
    finiteNumbersOnly: true,
    readMaxBytes: MAX_BODY_BYTES,
    jsonOptions: { alwaysEmitImplicit: true, useProtoFieldName: true },
    registry: errorRegistry,
    errorFormatter: restError,
    answerNotFound: false,
  });
  server.setNotFoundHandler((request, reply) => {
    const url = (request.raw.url ?? "").split("?")[0] as string;
    const path = JSON.stringify(url.slice(0, 200));
    if (request.headers["content-type"]?.startsWith("application/grpc")) {
      return sendError(toConnectError(new ServiceError("METHOD_UNKNOWN", { method: path })), request, reply, 501);
    }
    if ((healthPaths as readonly string[]).includes(url)) {
      const params = { method: request.method, path, allow: "GET, HEAD" };
      const error = toConnectError(new ServiceError("METHOD_NOT_ALLOWED", params));
      return sendError(error, request, reply.header("allow", params.allow), 405);
    }
    return sendError(toConnectError(new ServiceError("PATH_NOT_FOUND", { path })), request, reply, 404);
  });
  return server;
}
