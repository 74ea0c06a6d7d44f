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
     * pages are. `monitors`: it tells of the service itself. Nobody's key is looked at for these two, and each has a
     * burst limit of its own.
     */
    audience?: "everyone" | "monitors";
    /** Whether a route asks next to nothing of the service, so that monitors may ask as often as they like. */
    isProbe?: boolean;
  }
}
