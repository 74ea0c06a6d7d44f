import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Caller, type Tier, tiers } from "../../access/caller.ts";
import { type Access, addressNetwork, type DailyStanding, type UsageReport } from "../../access/index.ts";
import { ServiceError } from "../../error.ts";
import { methodAccess } from "../call/method-options.ts";
import type { Ready } from "../call/ready.ts";
import { BurstLimiter, bucketOf, burstExceeded, type RouteAudience } from "./burst-limiter.ts";

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

/** The caller of a call, as its handler knows it. */
export interface ServiceCaller {
  readonly tier: Tier;
  /** The owner of the key; undefined without a key. */
  readonly ownerId: string | undefined;
  /** Whether the key still holds; see Access.isValid. */
  isValid(): Promise<boolean>;
  /** The use of today. */
  usage(): Promise<UsageReport>;
  /**
   * Takes one unit of the caller's daily quota, for work that begins when this returns. The unit is given back only if
   * the call's deadline passes before that. Work that has begun has used the unit, even if it fails: otherwise a caller
   * could have the work for nothing by a short deadline. A caller who hangs up has used the unit at any time.
   *
   * @param signal the call's.
   * @throws ServiceError QUOTA_EXHAUSTED, and the reason of the signal if it aborts before.
   */
  takeUnit(signal: AbortSignal): Promise<void>;
  /**
   * The RateLimit headers of the answer. Empty if the method has no limit, or if the database does not answer: the
   * answer matters more than these headers.
   */
  limitHeaders(): Promise<Readonly<Record<string, string>>>;
}

/** Options of RequestCaller. */
export interface RequestCallerOptions {
  caller: Caller;
  /** The client's bucket of the burst limit. */
  client: string;
  access: Access;
  /** Undefined for no limit. */
  burst: BurstLimiter | undefined;
  /** @throws ServiceError OPERATOR_… if the request does not show the operator's token. */
  isOperator: (method: string) => void;
  /** The time in milliseconds since 1970. */
  now: () => number;
}

/**
 * The caller of one request, from its headers to its answer: which methods it may call, what it has left, and the
 * headers that say so. The one place that decides this, for all protocols.
 */
export class RequestCaller implements ServiceCaller {
  readonly #options: RequestCallerOptions;
  #method: DescMethod | undefined;
  /** What is left of the day, as this call saw it last. */
  #standing: DailyStanding | undefined;

  constructor(options: RequestCallerOptions) {
    this.#options = options;
  }

  get tier(): Tier {
    return this.#options.caller.tier;
  }

  get ownerId(): string | undefined {
    return this.#options.caller.ownerId;
  }

  /** The client's bucket of the burst limit: one for each owner and for each network. */
  get client(): string {
    return this.#options.client;
  }

  /**
   * Lets the caller call a method that its tier has.
   *
   * @throws ServiceError TIER_TOO_LOW with the tier that has the method, or OPERATOR_…
   */
  admit(method: DescMethod): void {
    this.#method = method;
    const { tier: needed } = methodAccess(method);
    if (needed === "operator") {
      this.#options.isOperator(method.name);
      return;
    }
    const { tier } = this;
    if (tiers.indexOf(tier) < tiers.indexOf(needed)) {
      const params = { method: method.name, needed: titles[needed], tier: titles[tier] };
      throw new ServiceError("TIER_TOO_LOW", params, { metadata: { method: method.name, needed, tier } });
    }
  }

  async isValid(): Promise<boolean> {
    const { access, caller } = this.#options;
    return caller.keyId === undefined || access.isValid(caller.keyId);
  }

  async usage(): Promise<UsageReport> {
    const { access, caller } = this.#options;
    const report = await access.usage(caller);
    this.#standing = standingOf(report);
    return report;
  }

  async takeUnit(signal: AbortSignal): Promise<void> {
    const { access, caller } = this.#options;
    const reservation = await access.reserve(caller, 1);
    this.#standing = standingOf(reservation);
    // The reservation may have taken until the deadline.
    if (!signal.aborted) {
      return;
    }
    if (!isHangUp(signal.reason)) {
      try {
        await reservation.giveBack();
        this.#standing = this.#standing && { ...this.#standing, remaining: this.#standing.remaining + 1 };
      } catch {
        // The unit stays counted. The caller's error is that the deadline has passed.
      }
    }
    throw signal.reason;
  }

  async limitHeaders(): Promise<Readonly<Record<string, string>>> {
    const { access, caller, burst, client, now } = this.#options;
    const isCounted = this.#method !== undefined && methodAccess(this.#method).isCounted;
    if (this.#standing === undefined && !isCounted) {
      return {};
    }
    try {
      const standing = this.#standing ?? (await access.standing(caller));
      if (standing !== undefined) {
        return dailyHeaders(standing, now());
      }
    } catch {
      return {};
    }
    return burst === undefined ? {} : burstHeaders({ ...burst.rate, remaining: burst.remaining(client) });
  }
}

/** The tiers as people write them. */
const titles = { free: "Free", basic: "Basic", pro: "Pro" } as const;

function standingOf({ limit, remaining, resetMs }: Partial<DailyStanding> & { resetMs: number }) {
  return limit === undefined || remaining === undefined ? undefined : { limit, remaining, resetMs };
}

function isHangUp(reason: unknown): boolean {
  return reason instanceof ConnectError && reason.code === Code.Canceled;
}

/** What a client has left of the burst limit. */
export interface BurstStanding {
  /** Requests a second in the long run. */
  perSecond: number;
  /** Requests at once. */
  bucket: number;
  /** How many more at once. */
  remaining: number;
}

const DAY_S = 86_400;

/**
 * The daily quota in the headers of draft-ietf-httpapi-ratelimit-headers.
 *
 * @param now milliseconds since 1970.
 */
export function dailyHeaders({ limit, remaining, resetMs }: DailyStanding, now: number): Record<string, string> {
  const seconds = Math.max(0, Math.ceil((resetMs - now) / 1_000));
  return headers("daily", { quota: limit, windowS: DAY_S, remaining, seconds });
}

/** The burst limit in the same headers. Its window is the time in which a bucket fills. */
export function burstHeaders({ perSecond, bucket, remaining }: BurstStanding): Record<string, string> {
  const windowS = Math.ceil(bucket / perSecond);
  return headers("burst", { quota: bucket, windowS, remaining, seconds: Math.ceil((bucket - remaining) / perSecond) });
}

interface Limit {
  quota: number;
  windowS: number;
  remaining: number;
  /** Until the whole quota is available again. */
  seconds: number;
}

function headers(name: string, { quota, windowS, remaining, seconds }: Limit): Record<string, string> {
  return {
    "ratelimit-policy": `"${name}";q=${quota};w=${windowS}`,
    ratelimit: `"${name}";r=${remaining};t=${seconds}`,
  };
}
