import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError, type ContextValues } from "@connectrpc/connect";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addressNetwork } from "../../access/index.ts";
import type { StreamLimit } from "../../config/index.ts";
import { limitReached, ServiceError } from "../../error.ts";
import { untilAborted } from "../../pace/index.ts";
import {
  type Callers,
  callValues,
  methodAccess,
  type OutageLog,
  type RequestCaller,
  type RouteAudience,
  toConnectError,
} from "../../rpc/index.ts";
import { hasKeyInUrl } from "../../text/index.ts";
import { sendError } from "../errors/send-error.ts";
import type { RequestObserver } from "../observe/observe-requests.ts";
import { whenClosed } from "../request-headers.ts";
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
  observer: RequestObserver;
  outages: Pick<OutageLog, "note">;
  /** The address of the service for its callers. Default: the name that a caller uses, where that is checked. */
  publicUrl: string | undefined;
  /** Whether the loopback guard checks the name of the service that a caller uses. */
  isGuarded: boolean;
  /** Counts the streams of callers. */
  streams: OpenStreams;
  /** Counts the streams of services that answer anyone. */
  keylessStreams: OpenStreams;
}

/** Ties the calls of all protocols to their callers. */
export interface CallAdmission {
  /**
   * Admits a request to a method of the contract, before its body is read.
   *
   * @returns the context values of the call.
   * @throws ConnectError if the caller's tier does not have the method, or if too many streams are open.
   */
  admit(request: FastifyRequest, reply: FastifyReply, method: DescMethod): ContextValues;
  /** Adds the RateLimit headers to an answer that no handler made. */
  addLimits(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/**
 * Identifies the caller of every request before its body is read, in a hook of the server. Register it after CORS, so
 * that pages of allowed origins can read the refusals.
 */
export function identifyCallers(server: FastifyInstance, options: IdentifyCallersOptions): CallAdmission {
  const { callers, loopbackQuota, publicUrl, isGuarded, observer, outages, streams, keylessStreams } = options;

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

  /** The address of the API reference for a request's caller; undefined if it is not known. */
  function docsUrlOf({ protocol, headers }: FastifyRequest): string | undefined {
    const host = isGuarded ? (headers[":authority"] ?? headers.host) : undefined;
    const root = publicUrl ?? (host && `${protocol}://${host}`);
    return root && `${root}/docs`;
  }

  async function addLimits({ caller, record }: FastifyRequest, reply: FastifyReply): Promise<void> {
    // An answer for lack of time must not wait for the database.
    const isLate = record?.code === Code.Unavailable || record?.code === Code.DeadlineExceeded;
    if (caller !== undefined && !isLate && !reply.hasHeader("ratelimit")) {
      reply.headers(await caller.limitHeaders());
    }
  }

  server.decorateRequest("caller", undefined);
  server.addHook("onRequest", async (request, reply) => {
    try {
      await untilAborted(request.deadline, identify(request));
    } catch (error) {
      addVary(reply, "X-API-Key");
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

  return {
    admit(request, reply, method) {
      const onStage = observer.calls(request, method);
      const { caller, deadline, id: requestId } = request;
      const { isOpen, isPerCaller } = methodAccess(method);
      if (caller === undefined && !isOpen) {
        throw new Error(`The caller of ${method.name} is not identified`);
      }
      if (isPerCaller) {
        addVary(reply, "X-API-Key");
        reply.header("cache-control", "no-store");
      }
      const docsUrl = docsUrlOf(request);
      try {
        caller?.admit(method);
      } catch (error) {
        throw error instanceof ServiceError ? toConnectError(error, docsUrl) : error;
      }
      if (method.methodKind !== "unary") {
        const places = isOpen ? keylessStreams : streams;
        whenClosed(reply, places.take(addressNetwork(clientAddress(request))));
      }
      return callValues({ requestId, caller, docsUrl, deadline, onStage });
    },
    addLimits,
  };
}

/** Adds the name of a request header to those that the answer depends on. */
function addVary(reply: FastifyReply, name: string): void {
  const names = [reply.getHeader("vary") ?? []].flat().map(String);
  const listed = names.join(",").toLowerCase().split(",");
  if (listed.some((each) => each.trim() === name.toLowerCase())) {
    return;
  }
  reply.header("vary", [...names, name].join(", "));
}

/** Streams seldom end, so an immediate retry is no use. */
const RETRY_AFTER_MS = 5_000;

/** Counts the open streams, in all and by address. */
export class OpenStreams {
  readonly #limit: StreamLimit;
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  constructor(limit: StreamLimit) {
    this.#limit = limit;
  }

  /**
   * Takes a place for a stream.
   *
   * @param address the client's network: see addressNetwork.
   * @returns releases the place. Call it once.
   * @throws ConnectError LIMIT_REACHED if the address has none left, OVERLOADED if no address has one left.
   */
  take(address: string): () => void {
    const open = this.#byAddress.get(address) ?? 0;
    const { perAddress, total } = this.#limit;
    if (open >= perAddress) {
      throw toConnectError(limitReached("open streams", perAddress, "close one first", "address"));
    }
    if (this.#total >= total) {
      throw toConnectError(new ServiceError("OVERLOADED", {}, { retryAfterMs: RETRY_AFTER_MS }));
    }
    this.#byAddress.set(address, open + 1);
    this.#total += 1;
    return () => {
      const left = (this.#byAddress.get(address) ?? 1) - 1;
      if (left === 0) {
        this.#byAddress.delete(address);
      } else {
        this.#byAddress.set(address, left);
      }
      this.#total -= 1;
    };
  }
}
