// REST for Connect services on Fastify, by google.api.http.

import { METHODS, type ServerResponse } from "node:http";
import type { Http2ServerResponse, ServerHttp2Stream } from "node:http2";
import { constants } from "node:http2";
import { Readable } from "node:stream";
import type { DescMethod, Registry } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorFormatter, formatStatus } from "./errors/format.ts";
import type { BodyRoom } from "./request/body-room.ts";
import { type BodyStream, readBody } from "./request/read-body.ts";
import { type Answer, errorAnswers, type Incoming } from "./serve/exchange.ts";
import { resolveOptions, type TranscodingOptions } from "./serve/options.ts";
import { copiedHeaders } from "./serve/response-encoder.ts";
import { createTranscoder, DEFAULT_BODY_LIMIT, rawTarget } from "./transcoder.ts";

/** What callbacks get of a request. */
export type FastifyHost = [request: FastifyRequest, reply: FastifyReply];

/** Options of the plugin. Only `routes` is required. */
export interface FastifyTranscodingOptions extends TranscodingOptions<FastifyHost> {
  /**
   * Answer unknown paths below the prefix of the plugin with a 404 in the form of errors, unless the application has
   * set a not-found handler before. Default: true.
   */
  readonly answerNotFound?: boolean | undefined;
}

/**
 * Fastify plugin that serves Connect services as REST, after the google.api.http options of their methods. Calls run
 * in process through the same handlers and interceptors as over Connect. It registers one wildcard route below its
 * prefix, so every other route of the application comes first. Paths without a rule are passed to the not-found
 * handler. Fails with an Error that names the RPC if a rule cannot be bound.
 */
export async function transcodingPlugin(
  instance: FastifyInstance,
  { answerNotFound = true, ...options }: FastifyTranscodingOptions,
): Promise<void> {
  const bodyLimit = instance.initialConfig.bodyLimit ?? DEFAULT_BODY_LIMIT;
  const resolved = resolveOptions(options, { bodyLimit, logError });
  const transcoder = createTranscoder(resolved);
  const prefix = instance.prefix.replace(/\/$/, "");
  const incomingOf = (request: FastifyRequest, reply: FastifyReply) =>
    new FastifyIncoming(request, reply, prefix, resolved.bodyRoom);

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const answer = transcoder.answer(incomingOf(request, reply));
    if (answer === undefined) {
      reply.callNotFound();
      return reply;
    }
    return send(await answer, reply);
  };

  addMethods(instance, transcoder.httpMethods);
  addBodyPassthrough(instance);
  instance.setErrorHandler((error, request, reply) => send(transcoder.answerError(error, [request, reply]), reply));
  // Keeps a wildcard route of the application, such as that of @fastify/cors for OPTIONS.
  const isFree = (method: string) => !instance.hasRoute({ method, url: `${prefix}/*` });
  instance.route({ method: instance.supportedMethods.filter(isFree), url: "/*", handler: handle });
  if (answerNotFound) {
    try {
      instance.setNotFoundHandler((request, reply) => {
        // Methods that Fastify does not route come here even for paths that have a rule.
        return send(transcoder.refuse(incomingOf(request, reply)), reply);
      });
    } catch {
      // The application's own handler for this prefix stays.
    }
  }
}

/** Options of errorWriter(). */
export interface ErrorWriterOptions {
  /** Default: google.rpc.Status. */
  readonly errorFormatter?: ErrorFormatter<FastifyRequest> | undefined;
  /** Types that error details may have besides those of google.rpc. */
  readonly registry?: Registry | undefined;
}

/** Writes errors in the form of an error formatter. */
export interface ErrorWriter {
  /**
   * Sends anything thrown as the response. It also fits Fastify's `frameworkErrors` and setErrorHandler(), so that
   * Fastify's own errors have the same form.
   */
  readonly send: (thrown: unknown, request: FastifyRequest, reply: FastifyReply, method?: DescMethod) => FastifyReply;
}

/** Returns an error writer, for errors of Fastify itself. It logs errors whose message the client does not get. */
export function errorWriter({ errorFormatter = formatStatus, registry }: ErrorWriterOptions = {}): ErrorWriter {
  const errors = errorAnswers<FastifyHost>({ errorFormatter, registry, logError });
  return { send: (thrown, request, reply, method) => send(errors.answer(thrown, [request, reply], method), reply) };
}

function logError(error: unknown, request: FastifyRequest): void {
  request.log.error({ err: error }, "HTTP transcoding failed");
}

class FastifyIncoming implements Incoming<FastifyHost> {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly host: FastifyHost;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #bodyRoom: (...host: FastifyHost) => BodyRoom;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    prefix: string,
    bodyRoom: (...host: FastifyHost) => BodyRoom,
  ) {
    const { path, query } = rawTarget(request.raw.url ?? "/", prefix);
    this.method = request.method;
    this.path = path;
    this.query = query;
    this.host = [request, reply];
    this.#request = request;
    this.#reply = reply;
    this.#bodyRoom = bodyRoom;
  }

  get fullPath(): string {
    return rawTarget(this.#request.raw.url ?? "/", "").path;
  }

  /** Connect requires a valid URL. */
  get origin(): string {
    const { host, protocol } = this.#request;
    return `${protocol}://${/^[\w.\-:[\]]+$/.test(host) ? host : "localhost"}`;
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  get headers(): [name: string, value: string][] {
    const { rawHeaders } = this.#request.raw;
    return Array.from({ length: rawHeaders.length / 2 }, (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!]);
  }

  readBody(maxBytes: number): Promise<Uint8Array> {
    return readBody(this.#request.raw, maxBytes, this.#bodyRoom(...this.host));
  }

  bodyStream(): BodyStream {
    return this.#request.raw;
  }

  /** Aborts when the connection closes before the response has been written. */
  signal(): AbortSignal {
    const response: ServerResponse = this.#reply.raw;
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
}

function send({ status, header, ownHeader, body }: Answer, reply: FastifyReply): FastifyReply {
  for (const [name, value] of copiedHeaders(header)) {
    reply.header(name, value);
  }
  reply.code(status).headers(ownHeader);
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) {
    return reply.send(body);
  }
  return reply.send(Readable.from(resetOnError(body, reply), { objectMode: false }));
}

/** Fastify destroys the response of a stream that throws, which over HTTP/2 looks like its proper end without a reset. */
async function* resetOnError(chunks: AsyncGenerator<Uint8Array>, reply: FastifyReply): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    const raw = reply.raw as ServerResponse | Http2ServerResponse;
    if ("stream" in raw) {
      (raw.stream as ServerHttp2Stream).close(constants.NGHTTP2_INTERNAL_ERROR);
    }
    throw error;
  }
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
