import type { ServerResponse } from "node:http";
import { Code, ConnectError, type ContextValues } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { BodyRoom } from "../request/read-body.ts";
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
  /** The memory budget of the request's body. */
  readonly room: BodyRoom;
  readonly sse: ServerSentEventsOptions & { readonly keepAliveMs: number };
}

/** A request target, split but not decoded. */
export interface RawTarget {
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
export function closeSignal(response: ServerResponse): AbortSignal {
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
