import type { IncomingHttpHeaders } from "node:http";
import { Code } from "@connectrpc/connect";
import { type Access, addressNetwork } from "../../access/index.ts";
import { ServiceError } from "../../error.ts";
import type { Ready } from "../call/ready.ts";
import { type BurstLimiter, bucketOf, burstExceeded, type RouteAudience } from "./burst-limiter.ts";
import type { OperatorCheck } from "./operator-check.ts";
import { RequestCaller } from "./request-caller.ts";

/** Options of Callers. */
export interface CallersOptions {
  access: Pick<Ready<Access>, "get">;
  /** Undefined for no limit. */
  burst: BurstLimiter | undefined;
  /** Whether keys count. If not, every caller is Free. */
  provisioning: boolean;
  checkOperator: OperatorCheck;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/** The keys that a request gives; none where keys do not count. */
export function keysOf(headers: IncomingHttpHeaders, provisioning: boolean): readonly string[] {
  const sent = headers["x-api-key"];
  return sent === undefined || !provisioning ? [] : [sent].flat();
}

/** The headers of a response that depends on who calls. */
export const callerHeaders = { vary: "X-API-Key", "cache-control": "no-store" } as const;

/** Identifies who sends a request, and limits how fast each client sends them. It knows no protocol. */
export class Callers {
  readonly #options: CallersOptions;

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  /**
   * Identifies the caller by its key or, without one, by its address, and takes a token of its burst limit.
   *
   * @param address the client's, IPv4 or IPv6.
   * @param isUnlimited whether a caller without a key has no daily limit.
   * @throws ServiceError API_KEY_…, BURST_EXCEEDED, NOT_READY or STATE_UNAVAILABLE
   */
  async identify(headers: IncomingHttpHeaders, address: string, isUnlimited = false): Promise<RequestCaller> {
    const { access, burst, provisioning, checkOperator, now } = this.#options;
    const network = addressNetwork(address);
    const keys = keysOf(headers, provisioning);
    if (keys.length === 0) {
      this.#take(network);
    }
    const ready = access.get();
    const caller = await ready.authenticate({ keys, address, isUnlimited }).catch((error: unknown) => {
      // Only refused keys take tokens from the address. So a valid key is not refused because others there guess keys.
      if (error instanceof ServiceError && error.code === Code.Unauthenticated) {
        this.#take(`guesses ${network}`);
      }
      throw error;
    });
    const client = keys.length === 0 ? network : caller.subject;
    if (keys.length > 0) {
      this.#take(client);
    }
    const isOperator = (method: string) => checkOperator(headers, network, method);
    return new RequestCaller({ caller, client, access: ready, burst, isOperator, now });
  }

  /**
   * Takes a token for a request to a route that is not for callers, such as a page.
   *
   * @throws ServiceError BURST_EXCEEDED
   */
  limit(route: RouteAudience, address: string): void {
    const bucket = bucketOf(route, addressNetwork(address));
    if (bucket !== undefined) {
      this.#take(bucket);
    }
  }

  #take(client: string): void {
    const { burst } = this.#options;
    if (burst !== undefined && !burst.take(client)) {
      throw burstExceeded(burst, client);
    }
  }
}
