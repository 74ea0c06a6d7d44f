import type { DescMethod } from "@bufbuild/protobuf";
import { Code, type ContextValues, createContextValues } from "@connectrpc/connect";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../access/caller.ts";
import { type Access, addressNetwork } from "../../access/index.ts";
import { ServiceError } from "../../error.ts";
import {
  burstHeaders,
  callerKey,
  checkTier,
  type DailyStanding,
  dailyHeaders,
  dailyStandingKey,
  limitsKey,
  methodAccess,
  type Ready,
  requestIdKey,
  toConnectError,
} from "../../rpc/index.ts";
import { type BurstLimiter, bucketOf, burstExceeded } from "./burst-limiter.ts";
import { clientAddress } from "./client-address.ts";
import { hasKeyInUrl } from "./key-in-url.ts";
import type { OperatorCheck } from "./operator-check.ts";

/** Adds the name of a request header to those that the answer depends on. */
export function addVary(reply: FastifyReply, name: string): void {
  const names = [reply.getHeader("vary") ?? []].flat().map(String);
  const listed = names.join(",").toLowerCase().split(",");
  if (listed.some((each) => each.trim() === name.toLowerCase())) {
    return;
  }
  reply.header("vary", [...names, name].join(", "));
}

/** What is known of who sent a request. */
export interface RequestAccess {
  readonly caller: Caller;
  /** What of the network is told by addresses: see addressNetwork. */
  readonly network: string;
  /** Whose bucket of the burst limit the request was taken from. */
  readonly client: string;
  /** The method of the contract that the request is for, once that is known. */
  method?: DescMethod;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Undefined where a route is not for callers, and before it is told. */
    access: RequestAccess | undefined;
  }
  interface FastifyContextConfig {
    /**
     * Whom a route is for. Default: callers, who are told by key or address. `everyone`: it is the same for all, as
     * pages are. `monitors`: it tells of the service itself. Nobody's key is looked at for these two, and each has a
     * burst limit of its own.
     */
    audience?: "everyone" | "monitors";
    /** Whether a route asks next to nothing of the service, so that monitors may ask as often as they like. */
    isProbe?: boolean;
  }
}

/** What tells callers and limits them. */
export interface IdentityOptions {
  access: Pick<Ready<Access>, "get">;
  /** Undefined for no limit. */
  burst: BurstLimiter | undefined;
  /** Whether keys count. */
  provisioning: boolean;
  checkOperator: OperatorCheck;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/** Tells who sends requests, for every protocol alike. */
export interface Identity {
  /**
   * Tells who sends a request to a route for callers, before its body is read.
   *
   * @throws ServiceError API_KEY_…, BURST_EXCEEDED, NOT_READY or STATE_UNAVAILABLE
   */
  identify(request: FastifyRequest): Promise<void>;
  /**
   * Lets a request through to a method of the contract, before its body is read.
   *
   * @returns what the method's handler is to know of the request.
   * @throws ConnectError when the caller's tier does not have the method.
   */
  admit(request: FastifyRequest, reply: FastifyReply, method: DescMethod): ContextValues;
  /** Adds what is to be told of the limits to an answer that no handler made; undefined where that is nothing. */
  addLimits(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined;
}

/** Makes what tells who sends requests. */
export function createIdentity({ access, burst, provisioning, checkOperator, now }: IdentityOptions): Identity {
  const take = (client: string) => {
    if (burst === undefined || burst.take(client)) {
      return;
    }
    throw burstExceeded(burst, client);
  };

  async function accessOf(request: FastifyRequest): Promise<RequestAccess> {
    const address = clientAddress(request);
    const network = addressNetwork(address);
    const sent = request.headers["x-api-key"];
    const keys = sent === undefined || !provisioning ? [] : [sent].flat();
    if (keys.length === 0) {
      take(network);
      return { caller: await access.get().authenticate({ keys, address }), network, client: network };
    }
    const caller = await access
      .get()
      .authenticate({ keys, address })
      .catch((error: unknown) => {
        // Only keys that are refused take from the address: a valid key is never refused because others guess there.
        if (error instanceof ServiceError && error.code === Code.Unauthenticated) {
          take(`guesses ${network}`);
        }
        throw error;
      });
    take(caller.subject);
    return { caller, network, client: caller.subject };
  }

  /** How a caller stands after a call of a method. */
  async function limits(
    { caller, client }: RequestAccess,
    method: DescMethod,
    known: DailyStanding | undefined,
  ): Promise<Record<string, string>> {
    if (known !== undefined) {
      return dailyHeaders(known, now());
    }
    if (!methodAccess(method).isCounted) {
      return {};
    }
    if (caller.tier !== "pro") {
      const { limit, remaining, resetMs } = await access.get().usage(caller);
      return limit === undefined || remaining === undefined ? {} : dailyHeaders({ limit, remaining, resetMs }, now());
    }
    return burst === undefined ? {} : burstHeaders({ ...burst.rate, remaining: burst.remaining(client) });
  }

  return {
    async identify(request) {
      if (hasKeyInUrl(request.raw.url ?? "")) {
        throw new ServiceError("API_KEY_IN_URL");
      }
      const { config } = request.routeOptions;
      if (config.audience === undefined) {
        request.access = await accessOf(request);
        return;
      }
      const bucket = bucketOf(config, addressNetwork(clientAddress(request)));
      if (bucket !== undefined) {
        take(bucket);
      }
    },

    admit(request, reply, method) {
      const values = createContextValues().set(requestIdKey, request.id);
      const known = request.access;
      if (known === undefined) {
        // Only where the route says so is nobody known.
        if (!methodAccess(method).isOpen) {
          throw new Error(`Nobody is known to call ${method.name}`);
        }
        return values;
      }
      known.method = method;
      if (methodAccess(method).isPerCaller) {
        addVary(reply, "X-API-Key");
        reply.header("cache-control", "no-store");
      }
      try {
        const { caller, network } = known;
        checkTier(method, { caller, checkOperator: (name) => checkOperator(request.headers, network, name) });
      } catch (error) {
        throw error instanceof ServiceError ? toConnectError(error) : error;
      }
      return values
        .set(callerKey, known.caller)
        .set(limitsKey, () => limits(known, method, values.get(dailyStandingKey)));
    },

    addLimits({ access: known, record }, reply) {
      if (known?.method === undefined || !methodAccess(known.method).isCounted || reply.hasHeader("ratelimit")) {
        return;
      }
      // Those who are turned away for lack of time are not to wait for the database.
      if (record?.code === Code.Unavailable || record?.code === Code.DeadlineExceeded) {
        return;
      }
      return limits(known, known.method, undefined).then(
        (headers) => void reply.headers(headers),
        () => {
          // The database does not answer; what the answer says is worth more than how the caller stands.
        },
      );
    },
  };
}
