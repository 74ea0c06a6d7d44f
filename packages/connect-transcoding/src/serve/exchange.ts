import type { DescMethod, Registry } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { boundError } from "../errors/bound-error.ts";
import type { ErrorFormatter } from "../errors/format.ts";
import { asConnectError, HttpError, httpStatus } from "../errors/http-error.ts";
import type { BodyStream } from "../request/read-body.ts";
import type { Host, ServerSentEventsOptions } from "./options.ts";
import type { HandlerCall, Route } from "./routes.ts";

/** A request, as every server gives it to the transcoder. */
export interface Incoming<H extends Host> {
  readonly method: string;
  /** Still encoded, without scheme, host and prefix. */
  readonly path: string;
  /** The path with the prefix. */
  readonly fullPath: string;
  /** Without "?". */
  readonly query: string;
  /** Scheme and host, such as "https://example.com". */
  readonly origin: string;
  readonly host: H;
  /** The value of a header, by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** All headers, by names in any letter case. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** The whole body, decompressed, as readBody() returns it. */
  readonly readBody: (maxBytes: number) => Promise<Uint8Array>;
  /** The body as it arrives. Undefined if the request has none. */
  readonly bodyStream: () => BodyStream | undefined;
  /** Aborts when the client has gone. @param isStream whether the answer may be a stream. */
  readonly signal: (isStream: boolean) => AbortSignal;
}

/** A response, as every server gets it from the transcoder. */
export interface Answer {
  readonly status: number;
  /** Headers and trailers of the handler, not all of which fit the response. See copiedHeaders(). */
  readonly header: Headers | undefined;
  /** Headers of the transcoder and the error formatter. They come after those of the handler. */
  readonly ownHeader: Readonly<Record<string, string>>;
  /** Undefined: no body. If a stream throws, the response must end abnormally. */
  readonly body: Uint8Array | string | AsyncGenerator<Uint8Array> | undefined;
}

/** Makes the answers to errors. */
export interface ErrorAnswers<H extends Host> {
  /** The answer to anything thrown. */
  readonly answer: (thrown: unknown, host: H, method?: DescMethod) => Answer;
  /** The JSON text for an error that ends a stream. */
  readonly inStream: (thrown: unknown, host: H, method: DescMethod) => string;
}

/** Options of errorAnswers(). */
export interface ErrorAnswersOptions<H extends Host> {
  readonly errorFormatter: ErrorFormatter<H[0]>;
  readonly registry?: Registry | undefined;
  readonly logError: (error: unknown, ...host: H) => void;
}

/** Returns what makes the answers to errors. It logs errors whose message the client does not get. */
export function errorAnswers<H extends Host>(options: ErrorAnswersOptions<H>): ErrorAnswers<H> {
  const { errorFormatter, registry, logError } = options;

  const convert = (thrown: unknown, host: H): { error: ConnectError; status: number } => {
    const error = asConnectError(thrown);
    if (error !== thrown && !(error instanceof HttpError)) {
      logError(thrown, ...host);
    }
    return { error, status: error instanceof HttpError ? error.status : httpStatus(error.code) };
  };

  const answer: ErrorAnswers<H>["answer"] = (thrown, host, method) => {
    const { error, status } = convert(thrown, host);
    const context = { status, inStream: false, method, request: host[0], registry };
    const formatted = errorFormatter(boundError(error), context);
    const statusHeaders = error instanceof HttpError ? error.headers : {};
    return {
      status: formatted.status ?? status,
      header: error.metadata,
      ownHeader: { ...statusHeaders, "content-type": "application/json", ...formatted.headers },
      body: JSON.stringify(formatted.body),
    };
  };

  const inStream: ErrorAnswers<H>["inStream"] = (thrown, host, method) => {
    const { error, status } = convert(thrown, host);
    const context = { status, inStream: true, method, request: host[0], registry };
    return JSON.stringify(errorFormatter(boundError(error), context).body);
  };

  return { answer, inStream };
}

/** One request to a route, on its way to an answer. */
export interface Exchange<H extends Host = Host> {
  readonly route: Route;
  /** Raw path segments, without the verb. */
  readonly segments: readonly string[];
  readonly incoming: Incoming<H>;
  readonly call: HandlerCall;
  readonly errors: ErrorAnswers<H>;
  readonly sse: ServerSentEventsOptions & { readonly keepAliveMs: number };
}
