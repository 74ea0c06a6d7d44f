import { Code, createConnectRouter } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { HttpError } from "./errors/http-error.ts";
import type { PathMatch } from "./http-rule/path-matcher.ts";
import { prefersEvents, serveEvents } from "./serve/events.ts";
import { type Answer, type ErrorAnswers, type Exchange, errorAnswers, type Incoming } from "./serve/exchange.ts";
import { callHeader } from "./serve/headers.ts";
import type { Host, ResolvedOptions } from "./serve/options.ts";
import { createRoutes, type Route } from "./serve/routes.ts";
import { serveClientStream, serveServerStream } from "./serve/streams.ts";
import { serveUnary } from "./serve/unary.ts";

/** The largest body in bytes, unless the options say more: as in Fastify. */
export const DEFAULT_BODY_LIMIT = 1024 * 1024;

/** Serves Connect handlers as REST, for any server. */
export interface Transcoder<H extends Host> {
  /** All HTTP methods that rules have, `*` apart. */
  readonly httpMethods: ReadonlySet<string>;
  /** Answers a request. Undefined if no rule has its path. Never throws. */
  readonly answer: (incoming: Incoming<H>) => Promise<Answer> | undefined;
  /** The answer to a request that the server does not route: 405 if rules have its path, otherwise 404. */
  readonly refuse: (incoming: Incoming<H>) => Answer;
  /** The answer to a request whose path no rule has. */
  readonly notFound: (incoming: Incoming<H>) => Answer;
  /** The answer to anything thrown outside of the transcoder. */
  readonly answerError: ErrorAnswers<H>["answer"];
}

/** Prepares a transcoder. Throws an Error that names the RPC if a rule cannot be bound. */
export function createTranscoder<H extends Host>(options: ResolvedOptions<H>): Transcoder<H> {
  const isForeign = typeof options.routes !== "function";
  const { matcher, httpMethods } = createRoutes(createHandlers(options), options);
  const errors = errorAnswers(options);

  const answerRoute = async (route: Route, segments: readonly string[], incoming: Incoming<H>): Promise<Answer> => {
    const { host } = incoming;
    const { method } = route.binding;
    try {
      const call = {
        url: incoming.origin + route.handler.requestPath,
        header: callHeader(incoming, route.contentType),
        signal: incoming.signal(method.methodKind !== "unary"),
        contextValues: options.contextValues?.(...host, method),
      };
      if (isForeign) {
        // The handlers of another router may compress their answers, and these must be read here.
        call.header.delete("accept-encoding");
      }
      return await serve({ route, segments, incoming, call, errors, sse: options.sse });
    } catch (error) {
      return errors.answer(error, host, method);
    }
  };

  const refuse = (match: PathMatch<Route> | undefined, { method, fullPath, host }: Incoming<H>): Answer => {
    const error =
      match?.kind === "method"
        ? new HttpError(405, Code.Unimplemented, `${fullPath} does not allow ${method}`, {
            allow: match.allow.join(", "),
          })
        : new HttpError(404, Code.NotFound, `unknown path ${fullPath}`);
    return errors.answer(error, host);
  };

  return {
    httpMethods,
    answer: (incoming) => {
      const match = matcher.match(incoming.method, incoming.path);
      if (match === undefined) {
        return undefined;
      }
      return match.kind === "method"
        ? Promise.resolve(refuse(match, incoming))
        : answerRoute(match.value, match.segments, incoming);
    },
    notFound: (incoming) => refuse(undefined, incoming),
    refuse: (incoming) => refuse(matcher.match(incoming.method, incoming.path), incoming),
    answerError: errors.answer,
  };
}

function createHandlers<H extends Host>(options: ResolvedOptions<H>): readonly UniversalHandler[] {
  const { routes, connect, registry, jsonOptions } = options;
  if (typeof routes !== "function") {
    if (connect !== undefined) {
      throw new Error("the option `connect` needs a function as `routes`; the handlers of a router have their own");
    }
    for (const { method, protocolNames } of routes) {
      if (!protocolNames.includes("connect")) {
        throw new Error(`the handler of ${method.parent.typeName}.${method.name} does not serve the Connect protocol`);
      }
    }
    return routes;
  }
  const router = createConnectRouter({
    ...connect,
    // Bodies are decompressed before handlers get them, and responses are not compressed.
    acceptCompression: [],
    grpc: false,
    grpcWeb: false,
    connect: true,
    jsonOptions: registry === undefined ? jsonOptions : { ...jsonOptions, registry },
  });
  routes(router);
  return router.handlers;
}

function serve<H extends Host>(exchange: Exchange<H>): Promise<Answer> {
  const { route, incoming } = exchange;
  switch (route.binding.method.methodKind) {
    case "unary":
      return serveUnary(exchange);
    case "client_streaming":
      return serveClientStream(exchange);
    default:
      return !route.response.isRaw && prefersEvents(incoming.header("accept"))
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

/** Splits a request target, and removes scheme, host and the prefix from its path. */
export function rawTarget(target: string, prefix: string): RawTarget {
  const absolute = target.startsWith("/") ? target : target.replace(/^https?:\/\/[^/?#]*/i, "");
  const question = absolute.indexOf("?");
  const path = question < 0 ? absolute : absolute.slice(0, question);
  return {
    path: path.startsWith(prefix) ? path.slice(prefix.length) || "/" : path,
    query: question < 0 ? "" : absolute.slice(question + 1),
  };
}
