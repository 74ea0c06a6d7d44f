import type { DescMessage, DescMethod, JsonWriteOptions, Message, Registry } from "@bufbuild/protobuf";
import type { ConnectRouter, ConnectRouterOptions, ContextValues } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { type ErrorFormatter, formatStatus } from "../errors/format.ts";
import type { HttpRule } from "../google-api.ts";
import { readHttpRule } from "../http-rule/binding.ts";
import type { CheckValues } from "../request/bind-request.ts";
import { type BodyRoom, endlessRoom } from "../request/body-room.ts";
import { describeProblem, type FieldProblem } from "../validation/problems.ts";

/** What the server hands to callbacks with every request: `[request, reply]` of Fastify, or `[Request]`. */
export type Host = [request: unknown, ...more: unknown[]];

/** Checks a JSON body, and throws the error to answer with. */
export type BodyCheck = (body: Uint8Array, codec: "json") => void;

/**
 * Options of every server. Only `routes` is required.
 *
 * @typeParam H what callbacks get of a request: Fastify's request and reply, or a Request.
 */
export interface TranscodingOptions<H extends Host> {
  /**
   * Registers the services, as for Connect's own plugins: the same function serves both. Or the handlers of a router,
   * which must serve the Connect protocol; they keep the interceptors, limits and JSON options of that router.
   */
  readonly routes: ((router: ConnectRouter) => void) | readonly UniversalHandler[];
  /** Interceptors, limits and signals of the handlers; give Connect's plugin the same. For a function as `routes`. */
  readonly connect?: Omit<ConnectRouterOptions, "jsonOptions" | "grpc" | "grpcWeb" | "connect"> | undefined;
  /** Values for the handler context of a request to a method. */
  readonly contextValues?: ((...parameters: [...host: H, method: DescMethod]) => ContextValues) | undefined;
  /** The HTTP rule of a method. Default: its google.api.http option. Undefined: no REST. */
  readonly httpRule?: ((method: DescMethod) => HttpRule | undefined) | undefined;

  /** What a query parameter that names no field does: "reject" (default) answers 400, "ignore" drops it. */
  readonly unknownQueryParameters?: "reject" | "ignore" | undefined;
  /** The same for body fields and enum names. Default: "ignore", as Connect does. */
  readonly unknownBodyFields?: "reject" | "ignore" | undefined;
  /** Refuse "NaN", "Infinity" and "-Infinity" for float and double. Default: false. */
  readonly finiteNumbersOnly?: boolean | undefined;
  /** Words field violations. Default: describeProblem. */
  readonly describeProblem?: ((problem: FieldProblem) => string) | undefined;
  /** Checks values beyond their types; its violations are reported with all others. Default: no check. */
  readonly checkValues?: CheckValues | undefined;
  /**
   * Returns the check of a method's request bodies before they are parsed, which throws the error to answer with.
   * Default: no method has one.
   */
  readonly bodyCheck?: ((method: DescMethod) => BodyCheck | undefined) | undefined;
  /** Largest body in bytes after decompression, or message of a client stream. Default: Fastify's bodyLimit, or 1 MiB. */
  readonly readMaxBytes?: number | ((method: DescMethod) => number | undefined) | undefined;
  /** The memory and the time that a request's body may take. Default: no limit besides readMaxBytes. */
  readonly bodyRoom?: ((...host: H) => BodyRoom) | undefined;
  /** Accept rules with a body for DELETE. Default: false. */
  readonly allowDeleteBody?: boolean | undefined;
  /** Let PATCH set the only field mask of a request to the fields in the body, unless it is set. Default: false. */
  readonly fillFieldMaskOnPatch?: boolean | undefined;

  /** How responses are written: alwaysEmitImplicit, useProtoFieldName, enumAsInteger. Default: canonical ProtoJSON. */
  readonly jsonOptions?: Partial<JsonWriteOptions> | undefined;
  /** Types for google.protobuf.Any in messages and for error details, besides those of google.rpc. */
  readonly registry?: Registry | undefined;
  /** The form of errors. Default: google.rpc.Status. */
  readonly errorFormatter?: ErrorFormatter<H[0]> | undefined;
  /** Logs errors whose message the client does not get. Default: Fastify's log, or console.error(). */
  readonly logError?: ((error: unknown, ...host: H) => void) | undefined;

  /** Server-sent events, which a client gets for a stream with `Accept: text/event-stream`. */
  readonly sse?: ServerSentEventsOptions | undefined;
}

/** Options for streams that are sent as server-sent events. */
export interface ServerSentEventsOptions {
  /** The `id:` of an event, by which a client resumes. Default: none. */
  readonly eventId?: ((message: Message, desc: DescMessage, method: DescMethod) => string | undefined) | undefined;
  /** Changes the request of a client that resumes, given its Last-Event-ID header. Default: the header is ignored. */
  readonly resume?: ((request: Message, lastEventId: string, method: DescMethod) => void) | undefined;
  /**
   * Milliseconds without a message after which a comment is sent, so that proxies keep the connection. The first
   * comment sends status 200 if nothing was sent before. Default 15000; 0 for never.
   */
  readonly keepAliveMs?: number | undefined;
}

/** Options with every default filled in. */
export type ResolvedOptions<H extends Host> = {
  readonly [K in Exclude<
    keyof TranscodingOptions<H>,
    "readMaxBytes" | "sse" | "connect" | "contextValues" | "registry"
  >]-?: NonNullable<TranscodingOptions<H>[K]>;
} & Pick<TranscodingOptions<H>, "connect" | "contextValues" | "registry"> & {
    readonly readMaxBytes: (method: DescMethod) => number;
    readonly sse: ServerSentEventsOptions & { readonly keepAliveMs: number };
  };

/** The defaults that depend on the server. */
export interface ServerDefaults<H extends Host> {
  readonly bodyLimit: number;
  readonly logError: (error: unknown, ...host: H) => void;
}

/** Fills in the defaults. */
export function resolveOptions<H extends Host>(
  options: TranscodingOptions<H>,
  { bodyLimit, logError }: ServerDefaults<H>,
): ResolvedOptions<H> {
  const { readMaxBytes } = options;
  const maxBytesOf = typeof readMaxBytes === "function" ? readMaxBytes : () => readMaxBytes;
  return {
    routes: options.routes,
    connect: options.connect,
    contextValues: options.contextValues,
    registry: options.registry,
    httpRule: options.httpRule ?? readHttpRule,
    unknownQueryParameters: options.unknownQueryParameters ?? "reject",
    unknownBodyFields: options.unknownBodyFields ?? "ignore",
    finiteNumbersOnly: options.finiteNumbersOnly ?? false,
    describeProblem: options.describeProblem ?? describeProblem,
    checkValues: options.checkValues ?? (() => []),
    bodyCheck: options.bodyCheck ?? (() => undefined),
    readMaxBytes: (method) => maxBytesOf(method) ?? bodyLimit,
    bodyRoom: options.bodyRoom ?? (() => endlessRoom),
    allowDeleteBody: options.allowDeleteBody ?? false,
    fillFieldMaskOnPatch: options.fillFieldMaskOnPatch ?? false,
    jsonOptions: options.jsonOptions ?? {},
    errorFormatter: options.errorFormatter ?? formatStatus,
    logError: options.logError ?? logError,
    sse: { ...options.sse, keepAliveMs: options.sse?.keepAliveMs ?? 15_000 },
  };
}
