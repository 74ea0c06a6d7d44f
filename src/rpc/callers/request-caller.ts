import type { DescMethod } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type Caller, type Tier, tiers } from "../../access/caller.ts";
import type { Access, DailyStanding, UsageReport } from "../../access/index.ts";
import { ServiceError } from "../../error.ts";
import { methodAccess } from "../call/method-options.ts";
import type { BurstLimiter } from "./burst-limiter.ts";

/** The caller of a call, as its handler knows it. */
export interface ServiceCaller {
  readonly tier: Tier;
  /** The owner of the key; undefined without a key. */
  readonly ownerId: string | undefined;
  /** Whether the key is still valid; see Access.isValid. */
  isValid(): Promise<boolean>;
  /** What the caller has used today. */
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
 * headers that say so. Only this class decides it, for all protocols.
 */
export class RequestCaller implements ServiceCaller {
  readonly tier: Tier;
  readonly ownerId: string | undefined;
  /** The client's bucket of the burst limit: one for each owner and for each network. */
  readonly client: string;
  readonly #options: RequestCallerOptions;
  #method: DescMethod | undefined;
  /** What is left of the daily quota, as this call last read it; `unlimited` if the caller has no daily quota. */
  #standing: DailyStanding | "unlimited" | undefined;

  constructor(options: RequestCallerOptions) {
    this.tier = options.caller.tier;
    this.ownerId = options.caller.ownerId;
    this.client = options.client;
    this.#options = options;
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
    const standing = standingOf(reservation);
    this.#standing = standing ?? "unlimited";
    // The deadline may have passed during the reservation.
    if (!signal.aborted) {
      return;
    }
    if (!isHangUp(signal.reason)) {
      try {
        await reservation.giveBack();
        this.#standing = standing === undefined ? "unlimited" : { ...standing, remaining: standing.remaining + 1 };
      } catch {
        // The unit stays counted. The caller's error is that the deadline has passed.
      }
    }
    throw signal.reason;
  }

  async limitHeaders(): Promise<Readonly<Record<string, string>>> {
    const { access, caller, burst, client, now } = this.#options;
    let standing = this.#standing;
    if (standing === undefined) {
      if (this.#method === undefined || !methodAccess(this.#method).isCounted) {
        return {};
      }
      try {
        standing = (await access.standing(caller)) ?? "unlimited";
      } catch {
        return {};
      }
    }
    if (standing !== "unlimited") {
      return dailyHeaders(standing, now());
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
  /** How many more requests it may send at once now. */
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
