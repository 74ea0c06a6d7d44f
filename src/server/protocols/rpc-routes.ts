import type { IncomingMessage } from "node:http";
import type { DescService } from "@bufbuild/protobuf";
import {
  Code,
  type ConnectRouter,
  type ConnectRouterOptions,
  type ContextValues,
  createConnectRouter,
  createContextKey,
} from "@connectrpc/connect";
import type { UniversalHandler, UniversalServerRequest, UniversalServerResponse } from "@connectrpc/connect/protocol";
import { codeToHttpStatus } from "@connectrpc/connect/protocol-connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type BodyRoom, HttpError } from "../../../packages/connect-transcoding/src/index.ts";
import { ServiceError } from "../../error.ts";
import { callOf, maxBodyBytes, methodAccess, readLimits, toConnectError } from "../../rpc/index.ts";
import type { AdmitCall } from "../callers/admit-calls.ts";
import { addLimits } from "../callers/identify-callers.ts";
import { completeError, completeReadError } from "../errors/complete-error.ts";
import { completeResponse } from "../errors/complete-response.ts";
import { sendError } from "../errors/send-error.ts";
import { noteError } from "../observe/request-record.ts";
import { dropEndlessTimeout } from "../request-lifetime.ts";
import { isTooLarge, RpcBody, type RpcBodyOptions, rpcBodyTooLarge } from "./rpc-body.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The context values of a call by Connect, gRPC or gRPC-Web; undefined for other requests. */
    callValues: ContextValues | undefined;
  }
}

/** Options of rpcRoutes(). */
export interface RpcRoutesOptions extends Omit<RpcBodyOptions, "method"> {
  routes: (router: ConnectRouter) => void;
  connect: ConnectRouterOptions;
  admit: AdmitCall;
  /** The memory for the body of a request. */
  bodyRoom: (request: FastifyRequest, reply: FastifyReply) => BodyRoom;
}

/** The request and the reply that a call came with. */
const exchangeKey = createContextKey<{ request: FastifyRequest; reply: FastifyReply } | undefined>(undefined, {
  description: "exchange",
});

/** The plugin's own defaults; a router that is made outside of it has none. */
const acceptCompression = [compressionGzip, compressionBrotli];

interface Served {
  handler: UniversalHandler;
  body: RpcBody;
}

/**
 * Serves Connect, gRPC and gRPC-Web with @connectrpc/connect-fastify. What is ours comes around it: hooks check the
 * caller and the body before a handler runs, and wrapped handlers complete the errors that Connect makes by itself.
 */
export async function rpcRoutes(instance: FastifyInstance, options: RpcRoutesOptions): Promise<void> {
  const { admit, bodyRoom } = options;
  // Made here, because an error in the plugin's own callback ends the process instead of the start.
  const { handlers } = withBodyLimits(createConnectRouter({ ...options.connect, acceptCompression }), options.routes);
  const served = new Map<string, Served>(
    handlers.map((handler) => [
      handler.requestPath,
      { handler, body: new RpcBody({ ...options, method: handler.method }) },
    ]),
  );
  const servedBy = ({ routeOptions }: FastifyRequest) => served.get(routeOptions.url as string) as Served;

  instance.decorateRequest("callValues", undefined);
  instance.addHook("onRoute", (route) => {
    const { method } = (served.get(route.url) as Served).handler;
    if (methodAccess(method).isOpen) {
      route.config = { ...route.config, audience: "monitors" };
    }
  });

  instance.addHook("onRequest", async (request, reply) => {
    const { handler } = servedBy(request);
    request.callValues = admit(request, reply, handler.method).set(exchangeKey, { request, reply });
    if (!handler.allowedMethods.includes(request.method)) {
      const refusal = new HttpError(405, Code.Unimplemented, `${handler.requestPath} does not allow ${request.method}`);
      return sendError(refusal, request, reply.header("allow", handler.allowedMethods.join(", ")), 405);
    }
    checkTarget(request);
    const unknownType = unknownMessageType(request, handler);
    if (unknownType !== undefined) {
      const error = new ServiceError("UNSUPPORTED_MEDIA_TYPE", { type: unknownType });
      return sendError(toConnectError(error), request, reply, 415);
    }
  });

  // If the body is set here, the plugin does not read one from the request.
  instance.addHook("preHandler", async (request, reply) => {
    const room = bodyRoom(request, reply);
    request.body = await servedBy(request).body.read(request, room);
    if (!("stream" in reply.raw)) {
      reply.raw.once("finish", () => request.raw.resume());
    }
  });

  await instance.register(fastifyConnectPlugin, {
    ...options.connect,
    contextValues: ({ callValues }) => callValues as ContextValues,
    routes(router) {
      for (const handler of handlers) {
        router.handlers.push(Object.assign((call: UniversalServerRequest) => serve(handler, call), handler));
      }
    },
  });
}

/**
 * Registers each method with the limit of its own body, where one service has several limits.
 *
 * @throws {Error} when a method declares no tier, has a request field without a limit, or is not implemented
 */
function withBodyLimits(router: ConnectRouter, routes: (router: ConnectRouter) => void): ConnectRouter {
  const limited: ConnectRouter = {
    ...router,
    service(service: DescService, implementation) {
      const calls = implementation as Record<string, (...args: unknown[]) => unknown>;
      for (const method of service.methods) {
        methodAccess(method);
        readLimits(method.input);
      }
      for (const method of service.methods) {
        const call = calls[method.localName];
        if (call === undefined) {
          throw new Error(`${service.typeName}/${method.name} is not implemented`);
        }
        router.rpc(method, call.bind(implementation) as never, { readMaxBytes: maxBodyBytes(method) });
      }
      return limited;
    },
  };
  routes(limited);
  return router;
}

/** Connect makes a URL of the host and the path; the plugin would answer nothing where that fails. */
function checkTarget({ raw, headers }: FastifyRequest): void {
  const { authority = headers.host } = raw as IncomingMessage & { authority?: string };
  if (authority === undefined || !URL.canParse(raw.url ?? "", `http://${authority}`)) {
    throw new ServiceError("MALFORMED_REQUEST", { problem: "its Host is not a host name" });
  }
}

/** The type of a message that no protocol knows, for the error; Connect's own answer has no body. */
function unknownMessageType({ method, raw, headers }: FastifyRequest, handler: UniversalHandler): string | undefined {
  if (method === "GET") {
    const encoding = new URL(raw.url ?? "", "http://localhost").searchParams.get("encoding");
    return encoding === "json" || encoding === "proto" ? undefined : "of the query";
  }
  const type = headers["content-type"] ?? "";
  return handler.supportedContentType(type) ? undefined : JSON.stringify(type);
}

/** Calls a handler and completes its error, if it answers with one. */
async function serve(handler: UniversalHandler, call: UniversalServerRequest): Promise<UniversalServerResponse> {
  const values = call.contextValues as ContextValues;
  const { request, reply } = values.get(exchangeKey) as { request: FastifyRequest; reply: FastifyReply };
  dropEndlessTimeout(call.header);
  // The hook has already read and decompressed every body that is no stream.
  if (!isByteStream(call.body)) {
    call.header.delete("content-encoding");
  }
  const response = await completeResponse(await handler(call), call.header.get("content-type") ?? "", (error) => {
    const sent = isTooLarge(error)
      ? rpcBodyTooLarge(maxBodyBytes(handler.method))
      : // A handler is reached before its stream is read, and an unknown compression is found then.
        callOf(values).hasReachedHandler && error.code !== Code.Unimplemented
        ? completeError(error, codeToHttpStatus(error.code), request.id)
        : completeReadError(error);
    noteError(request, sent);
    return sent;
  });
  if (!callOf(values).hasReachedHandler) {
    await addLimits(request, reply);
  }
  return response;
}

function isByteStream(body: unknown): boolean {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}
