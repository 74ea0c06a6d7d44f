import type { ContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { type Binding, compileBindings } from "../http-rule/binding.ts";
import { isHttpBody } from "../http-rule/http-body.ts";
import { PathMatcher } from "../http-rule/path-matcher.ts";
import { containsAny, type RequestBinder, requestBinder } from "../request/bind-request.ts";
import { textReader } from "../values/readers.ts";
import type { BodyCheck, Host, ResolvedOptions } from "./options.ts";
import { needsDecoding, type ResponseEncoder, responseEncoder } from "./response-encoder.ts";

/** A binding with everything that a request to it needs, prepared. */
export interface Route {
  readonly binding: Binding;
  readonly handler: UniversalHandler;
  /** Content type of the in-process call. */
  readonly contentType: string;
  readonly bind: RequestBinder;
  readonly response: ResponseEncoder;
  readonly maxBytes: number;
  /** Checks a body before it is bound. */
  readonly checkBody: BodyCheck | undefined;
}

/** Prepares the route of a binding. */
export function createRoute<H extends Host>(
  binding: Binding,
  handler: UniversalHandler,
  options: ResolvedOptions<H>,
): Route {
  const { method } = binding;
  const { registry } = options;
  const streams = method.methodKind !== "unary";
  const codec = chooseCodec(binding, options);
  const bind = requestBinder(binding, {
    ignoreUnknownParameters: options.unknownQueryParameters === "ignore",
    ignoreUnknownFields: options.unknownBodyFields === "ignore",
    finiteNumbersOnly: options.finiteNumbersOnly,
    fillFieldMaskOnPatch: options.fillFieldMaskOnPatch,
    describeProblem: options.describeProblem,
    checkValues: options.checkValues,
    codec,
    registry,
  });
  return {
    binding,
    handler,
    contentType: `application/${streams ? "connect+" : ""}${codec}`,
    bind,
    response: responseEncoder(binding, codec, registry ? { ...options.jsonOptions, registry } : options.jsonOptions),
    maxBytes: options.readMaxBytes(method),
    checkBody: options.bodyCheck(method),
  };
}

/**
 * Passes JSON through unchanged, which is fastest, where messages need not be decoded. Requests that protobuf-es cannot
 * read from a JSON object, and those that need a registry, are built here and passed on in the binary format.
 */
function chooseCodec<H extends Host>(binding: Binding, options: ResolvedOptions<H>): "json" | "proto" {
  const { sse, routes, jsonOptions, registry } = options;
  const { input, methodKind } = binding.method;
  const bodyMessage = binding.body === "message" ? input : binding.body === "none" ? undefined : binding.body.message;
  const looksInside = methodKind === "server_streaming" && (sse.eventId !== undefined || sse.resume !== undefined);
  // The handlers of another router write JSON by its own options.
  const isWrittenHere = typeof routes !== "function" && (registry !== undefined || Object.keys(jsonOptions).length > 0);
  return looksInside ||
    isWrittenHere ||
    needsDecoding(binding) ||
    isHttpBody(bodyMessage) ||
    textReader(input, false) !== undefined ||
    containsAny(input)
    ? "proto"
    : "json";
}

/** The routes of a transcoder. */
export interface Routes {
  readonly matcher: PathMatcher<Route>;
  /** All HTTP methods that routes have, `*` apart. */
  readonly httpMethods: ReadonlySet<string>;
}

/**
 * Prepares the routes of all handlers whose method has an HTTP rule. Throws an Error that names the RPCs for rules
 * that cannot be bound, and for two rules with the same method and paths.
 */
export function createRoutes<H extends Host>(
  handlers: readonly UniversalHandler[],
  options: ResolvedOptions<H>,
): Routes {
  const matcher = new PathMatcher<Route>();
  const httpMethods = new Set<string>();
  for (const handler of handlers) {
    const rule = options.httpRule(handler.method);
    for (const binding of rule === undefined ? [] : compileBindings(handler.method, rule, options)) {
      const taken = matcher.add(binding.httpMethod, binding.template, createRoute(binding, handler, options));
      if (taken !== undefined) {
        throw new Error(`${rpcName(taken.binding)} and ${rpcName(binding)} are bound to the same HTTP method and path`);
      }
      if (binding.httpMethod !== "*") {
        httpMethods.add(binding.httpMethod);
      }
    }
  }
  return { matcher, httpMethods };
}

function rpcName({ method }: Binding): string {
  return `${method.parent.typeName}.${method.name}`;
}

/** What a handler gets of a call besides its messages. */
export interface HandlerCall {
  /** The URL of the RPC, not of the REST request, with scheme and host. */
  readonly url: string;
  readonly header: Headers;
  readonly signal: AbortSignal;
  readonly contextValues: ContextValues | undefined;
}
