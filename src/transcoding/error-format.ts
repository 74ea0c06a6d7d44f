import type { DescMethod, JsonValue, Registry } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";

/** What an error formatter knows beside the error. */
export interface ErrorContext {
  /** The status that is sent unless the formatter says another: that of the code, or 404, 405, 413, 415. */
  readonly status: number;
  /**
   * Whether the status is out already, because the error ends a stream: the body becomes a line of it, or the data of
   * an SSE event.
   */
  readonly inStream: boolean;
  /** Undefined if the request did not get as far as a method. */
  readonly method: DescMethod | undefined;
  readonly request: FastifyRequest;
  /** Types that error details may have. */
  readonly registry: Registry | undefined;
}

/** An error as it is sent. */
export interface FormattedError {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: JsonValue;
}

/** Decides the form of error bodies. */
export type ErrorFormatter = (error: ConnectError, context: ErrorContext) => FormattedError;
