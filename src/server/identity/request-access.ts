import type { DescMethod } from "@bufbuild/protobuf";
import type { Caller } from "../../access/caller.ts";

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
     * pages are, so that nobody's key is looked at; the burst limit holds. `monitors`: not even that, since those who
     * watch the service ask as often as they like.
     */
    audience?: "everyone" | "monitors";
  }
}
