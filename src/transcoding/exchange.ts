import type { FastifyReply, FastifyRequest } from "fastify";
import type { BodyRoom } from "./body-room.ts";
import type { ErrorWriter } from "./error-writer.ts";
import type { HandlerCall } from "./handler-call.ts";
import type { ServerSentEventsOptions } from "./options.ts";
import type { Route } from "./route.ts";

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
  /** The memory that the request's body may occupy. */
  readonly room: BodyRoom;
  readonly sse: ServerSentEventsOptions & { readonly keepAliveMs: number };
}
