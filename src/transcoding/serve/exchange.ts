import type { ContextValues } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { BodyBounds } from "../request/read-body.ts";
import type { ErrorWriter } from "./error-writer.ts";
import type { ServerSentEventsOptions } from "./options.ts";
import type { Route } from "./routes.ts";

/** What a handler gets of a call besides its messages. */
export interface HandlerCall {
  /** The URL of the RPC, not of the REST request, with scheme and host. */
  readonly url: string;
  readonly header: Headers;
  readonly signal: AbortSignal;
  readonly contextValues: ContextValues | undefined;
}

/** One request to a route, on its way to a response. */
export interface Exchange {
  readonly route: Route;
  /** Raw path segments, without the verb. */
  readonly segments: readonly string[];
  /** Without "?". */
  readonly query: string;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly call: HandlerCall;
  readonly errors: ErrorWriter;
  readonly bounds: BodyBounds;
  readonly sse: ServerSentEventsOptions & { readonly keepAliveMs: number };
}
