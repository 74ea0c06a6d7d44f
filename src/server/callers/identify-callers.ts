import { Code, ConnectError } from "@connectrpc/connect";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "../../error.ts";
import { untilAborted } from "../../pace/index.ts";
import {
  type Callers,
  callerHeaders,
  type OutageLog,
  type RequestCaller,
  type RouteAudience,
  toConnectError,
} from "../../rpc/index.ts";
import { hasKeyInUrl } from "../../text/index.ts";
import { sendError } from "../errors/send-error.ts";
import { addVary } from "./admit-calls.ts";
import { clientAddress, isFromThisMachine } from "./client-address.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined if the route is not for callers, and until the caller is identified. */
    caller: RequestCaller | undefined;
  }
  interface FastifyContextConfig extends RouteAudience {}
}

/** Options of identifyCallers(). */
export interface IdentifyCallersOptions {
  callers: Callers;
  /** Whether callers on this machine have the daily limit of all callers without a key. */
  loopbackQuota: boolean;
  outages: Pick<OutageLog, "note">;
}

/**
 * Identifies the caller of every request before its body is read, in a hook of the server. Register it after CORS, so
 * that pages of allowed origins can read the refusals.
 */
export function identifyCallers(
  server: FastifyInstance,
  { callers, loopbackQuota, outages }: IdentifyCallersOptions,
): void {
  async function identify(request: FastifyRequest): Promise<void> {
    if (hasKeyInUrl(request.raw.url ?? "")) {
      throw new ServiceError("API_KEY_IN_URL");
    }
    const { config } = request.routeOptions;
    const address = clientAddress(request);
    if (config.audience === undefined) {
      const isUnlimited = !loopbackQuota && isFromThisMachine(request);
      request.caller = await callers.identify(request.headers, address, isUnlimited);
    } else {
      callers.limit(config, address);
    }
  }

  server.decorateRequest("caller", undefined);
  server.addHook("onRequest", async (request, reply) => {
    try {
      await untilAborted(request.deadline, identify(request));
    } catch (error) {
      addVary(reply, callerHeaders.vary);
      outages.note(error);
      if (error instanceof ConnectError) {
        return sendError(error, request, reply);
      }
      if (!(error instanceof ServiceError)) {
        throw error;
      }
      return sendError(toConnectError(error), request, reply);
    }
  });
  server.addHook("onSend", async (request, reply, payload) => {
    await addLimits(request, reply);
    return payload;
  });
}

/** Adds the RateLimit headers to an answer that has none, such as one that no handler made. */
export async function addLimits({ caller, record }: FastifyRequest, reply: FastifyReply): Promise<void> {
  // An answer that reports a passed deadline must not wait for the database.
  const isLate = record?.code === Code.Unavailable || record?.code === Code.DeadlineExceeded;
  if (caller !== undefined && !isLate && !reply.hasHeader("ratelimit")) {
    reply.headers(await caller.limitHeaders());
  }
}
