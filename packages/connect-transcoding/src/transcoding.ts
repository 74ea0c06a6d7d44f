import { METHODS, type ServerResponse } from "node:http";
import { Code, ConnectError, createConnectRouter } from "@connectrpc/connect";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { HttpError } from "./errors/http-error.ts";
import type { PathMatch } from "./http-rule/path-matcher.ts";
import { errorWriter } from "./serve/error-writer.ts";
import { prefersEvents, serveEvents } from "./serve/events.ts";
import { requestHeader } from "./serve/headers.ts";
import { type ResolvedOptions, resolveOptions, type TranscodingOptions } from "./serve/options.ts";
import type { Exchange } from "./serve/routes.ts";
import { createRoutes, type Route } from "./serve/routes.ts";
import { serveClientStream, serveServerStream } from "./serve/streams.ts";
import { serveUnary } from "./serve/unary.ts";

const DEFAULT_BODY_LIMIT = 1024 * 1024;

/**
 * Fastify plugin that serves Connect services as REST, after the google.api.http options of their methods. Calls run
 * in process through the same handlers and interceptors as over Connect. It registers one wildcard route below its
 * prefix, so every other route of the application comes first. Paths without a rule are passed to the not-found
 * handler. Fails with an Error that names the RPC if a rule cannot be bound.
 */
export async function transcoding(instance: FastifyInstance, pluginOptions: TranscodingOptions): Promise<void> {
  const options = resolveOptions(pluginOptions, instance.initialConfig.bodyLimit ?? DEFAULT_BODY_LIMIT);
  const routes = createRoutes(createHandlers(options), options);
  const errors = errorWriter(options);
  const prefix = instance.prefix.replace(/\/$/, "");

  const refuse = (match: PathMatch<Route> | undefined, request: FastifyRequest): HttpError => {
    const { path } = rawTarget(request.raw.url ?? "/", "");
    return match?.kind === "method"
      ? new HttpError(405, Code.Unimplemented, `${path} does not allow ${request.method}`, {
          allow: match.allow.join(", "),
        })
      : new HttpError(404, Code.NotFound, `unknown path ${path}`);
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { path, query } = rawTarget(request.raw.url ?? "/", prefix);
    const match = routes.matcher.match(request.method, path);
    if (match === undefined) {
      reply.callNotFound();
      return reply;
    }
    if (match.kind === "method") {
      return errors.send(refuse(match, request), request, reply);
    }
    const route = match.value;
    try {
      const call = {
        url: rpcUrl(request, route.handler.requestPath),
        header: requestHeader(request.raw, route.contentType),
        signal: closeSignal(reply.raw),
        contextValues: options.contextValues?.(request, reply, route.binding.method),
      };
      const openRoom = () => options.bodyRoom(request, reply);
      const { segments } = match;
      return await serve({ route, segments, query, request, reply, call, errors, openRoom, sse: options.sse });
    } catch (error) {
      return errors.send(error, request, reply, route.binding.method);
    }
  };

  addMethods(instance, routes.httpMethods);
  addBodyPassthrough(instance);
  instance.setErrorHandler((error, request, reply) => errors.send(error, request, reply));
  // Keeps a wildcard route of the application, such as that of @fastify/cors for OPTIONS.
  const isFree = (method: string) => !instance.hasRoute({ method, url: `${prefix}/*` });
  instance.route({ method: instance.supportedMethods.filter(isFree), url: "/*", handler: handle });
  if (options.answerNotFound) {
    try {
      instance.setNotFoundHandler((request, reply) => {
        // Methods that Fastify does not route come here even for paths that have a rule.
        const match = routes.matcher.match(request.method, rawTarget(request.raw.url ?? "/", prefix).path);
        return errors.send(refuse(match, request), request, reply);
      });
    } catch {
      // The application's own handler for this prefix stays.
    }
  }
}

function createHandlers(options: ResolvedOptions) {
  const { registry, jsonOptions } = options;
  const router = createConnectRouter({
    ...options.connect,
    // Bodies are decompressed before handlers get them, and responses are not compressed.
    acceptCompression: [],
    grpc: false,
    grpcWeb: false,
    connect: true,
    jsonOptions: registry === undefined ? jsonOptions : { ...jsonOptions, registry },
  });
  options.routes(router);
  return router.handlers;
}

function serve(exchange: Exchange): Promise<FastifyReply> {
  switch (exchange.route.binding.method.methodKind) {
    case "unary":
      return serveUnary(exchange);
    case "client_streaming":
      return serveClientStream(exchange);
    default:
      return !exchange.route.response.isRaw && prefersEvents(exchange.request.headers.accept)
        ? serveEvents(exchange)
        : serveServerStream(exchange);
  }
}

/** A request target, split but not decoded. */
interface RawTarget {
  readonly path: string;
  /** Without "?". */
  readonly query: string;
}

/** Splits a request target, and removes scheme, host and the plugin's prefix from its path. */
export function rawTarget(target: string, prefix: string): RawTarget {
  const absolute = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const question = absolute.indexOf("?");
  const path = question < 0 ? absolute : absolute.slice(0, question);
  return {
    path: path.startsWith(prefix) ? path.slice(prefix.length) || "/" : path,
    query: question < 0 ? "" : absolute.slice(question + 1),
  };
}

/** A signal that aborts when the connection closes before the response has been written. */
function closeSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!response.writableEnded) {
      controller.abort(new ConnectError("the client closed the connection", Code.Canceled));
    }
  };
  if (response.closed) {
    onClose();
  } else {
    response.once("close", onClose);
  }
  return controller.signal;
}

/** Handlers and interceptors see the URL of the RPC, and Connect requires a valid one. */
function rpcUrl(request: FastifyRequest, requestPath: string): string {
  const host = /^[\w.\-:[\]]+$/.test(request.host) ? request.host : "localhost";
  return `${request.protocol}://${host}${requestPath}`;
}

/** Lets Fastify route the custom methods of rules, as far as Node.js parses them. */
function addMethods(instance: FastifyInstance, httpMethods: ReadonlySet<string>): void {
  for (const method of httpMethods) {
    if (!METHODS.includes(method)) {
      instance.log.warn(`Node.js refuses requests with the method ${method}, which an HTTP rule has`);
    } else if (!instance.supportedMethods.includes(method)) {
      instance.addHttpMethod(method, { hasBody: true });
    }
  }
}

/** Leaves request bodies alone: which of them are read, and how, depends on the rule. */
function addBodyPassthrough(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
}
