import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { ServiceError } from "../../error.ts";
import { BurstLimiter } from "./burst-limiter.ts";

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
    // Even the right token needs a free attempt. So a client beyond the limit cannot learn that its guess is right.
    if (!attempts.take(network)) {
      const waitMs = attempts.waitMs(network);
      const params = { wait_s: String(Math.ceil(waitMs / 1_000)) };
      throw new ServiceError("OPERATOR_ATTEMPTS_EXCEEDED", params, { retryAfterMs: waitMs });
    }
    const sent = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    // A comparison in constant time needs values of equal length, so digests are compared.
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
