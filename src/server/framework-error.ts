import { ConnectError } from "@connectrpc/connect";
import type { FastifyRequest } from "fastify";
import { ServiceError } from "../error.ts";
import { toConnectError } from "../rpc/call/errors.ts";
import { Refusal } from "../transcoding/index.ts";

/**
 * The error, and its HTTP status where that is not the code's own, for anything thrown before a handler ran: Fastify's
 * own errors (they have a status) become ours, and what nobody expected is told as UNKNOWN.
 */
export function frameworkError(thrown: unknown, request: FastifyRequest): { error: ConnectError; status?: number } {
  if (thrown instanceof ServiceError) return { error: toConnectError(thrown) };
  if (thrown instanceof Refusal) return { error: thrown, status: thrown.status };
  const status = thrown instanceof Error && "statusCode" in thrown ? Number(thrown.statusCode) : 500;
  if (thrown instanceof ConnectError || !(thrown instanceof Error) || status < 400 || status >= 500) {
    return { error: ConnectError.from(thrown) };
  }
  const type = JSON.stringify(request.headers["content-type"] ?? "");
  const told =
    status === 415
      ? new ServiceError("UNSUPPORTED_MEDIA_TYPE", { type })
      : new ServiceError("MALFORMED_REQUEST", { problem: thrown.message });
  return { error: toConnectError(told), status };
}
