import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Code } from "@connectrpc/connect";
import { type Access, addressNetwork } from "../../access/index.ts";
import { ServiceError } from "../../error.ts";
import type { Ready } from "../call/ready.ts";
import { BurstLimiter, bucketOf, burstExceeded, type RouteAudience } from "./burst-limiter.ts";
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
    const sent = headers["x-api-key"];
    const keys = sent === undefined || !provisioning ? [] : [sent].flat();
    if (keys.length === 0) {
      this.#take(network);
    }
    const ready = access.get();
    const caller = await ready.authenticate({ keys, address, isUnlimited }).catch((error: unknown) => {
      // Only refused keys take from the address: guesses of others there never refuse a valid key.
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

/** Wrong tokens of one address: ten at once, and one every ten seconds. */
const WRONG_TOKENS = { perSecond: 0.1, bucket: 10 };

/** Checks by its headers and the client's network that a call is the operator's. */
export type OperatorCheck = (headers: IncomingHttpHeaders, network: string, method: string) => void;

/**
 * Makes the check of the operator's token. Without a token it refuses every call.
 *
 * @param onRefused called with the method for every wrong token.
 * @returns a check that throws ServiceError OPERATOR_OFF, OPERATOR_TOKEN_REFUSED or OPERATOR_ATTEMPTS_EXCEEDED.
 */
export function operatorCheck(token: string | undefined, onRefused: (method: string) => void): OperatorCheck {
  if (token === undefined) {
    return () => {
      throw new ServiceError("OPERATOR_OFF");
    };
  }
  const expected = digest(token);
  const attempts = new BurstLimiter(WRONG_TOKENS);
  return ({ authorization }, network, method) => {
    // The right token takes one too, so that a client beyond the limit cannot learn that it has guessed right.
    if (!attempts.take(network)) {
      const waitMs = attempts.waitMs(network);
      const params = { wait_s: String(Math.ceil(waitMs / 1_000)) };
      throw new ServiceError("OPERATOR_ATTEMPTS_EXCEEDED", params, { retryAfterMs: waitMs });
    }
    const sent = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    // Digests have the equal lengths that a comparison in constant time needs.
    if (sent === undefined || !timingSafeEqual(digest(sent), expected)) {
      onRefused(method);
      throw new ServiceError("OPERATOR_TOKEN_REFUSED", { method });
    }
    attempts.giveBack(network);
  };
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
