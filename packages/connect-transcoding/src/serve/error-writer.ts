import type { DescMethod, Registry } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import { boundError } from "../errors/bound-error.ts";
import { type ErrorFormatter, formatStatus } from "../errors/format.ts";
import { asConnectError, HttpError, httpStatus } from "../errors/http-error.ts";
import { copyHeader } from "./response-encoder.ts";

/** Options of errorWriter(). */
export interface ErrorWriterOptions {
  /** Default: google.rpc.Status. */
  readonly errorFormatter?: ErrorFormatter | undefined;
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
  /** The JSON text for an error that ends a stream. */
  readonly inStream: (thrown: unknown, request: FastifyRequest, method: DescMethod) => string;
}

/** Returns an error writer. It logs errors whose message the client does not get, with the request. */
export function errorWriter(options: ErrorWriterOptions = {}): ErrorWriter {
  const { errorFormatter = formatStatus, registry } = options;

  const convert = (thrown: unknown, request: FastifyRequest): { error: ConnectError; status: number } => {
    const error = asConnectError(thrown);
    if (error !== thrown && !(error instanceof HttpError)) {
      request.log.error({ err: thrown }, "HTTP transcoding failed");
    }
    return { error, status: error instanceof HttpError ? error.status : httpStatus(error.code) };
  };

  const send: ErrorWriter["send"] = (thrown, request, reply, method) => {
    const { error, status } = convert(thrown, request);
    const formatted = errorFormatter(boundError(error), { status, inStream: false, method, request, registry });
    copyHeader(error.metadata, reply);
    if (error instanceof HttpError) {
      reply.headers({ ...error.headers });
    }
    return reply
      .code(formatted.status ?? status)
      .headers({ "content-type": "application/json", ...formatted.headers })
      .send(JSON.stringify(formatted.body));
  };

  const inStream: ErrorWriter["inStream"] = (thrown, request, method) => {
    const { error, status } = convert(thrown, request);
    return JSON.stringify(
      errorFormatter(boundError(error), { status, inStream: true, method, request, registry }).body,
    );
  };

  return { send, inStream };
}
