import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ConnectError, type Interceptor } from "@connectrpc/connect";
import { signal } from "@preact/signals";
import type { GetUsageResponse } from "../../../src/client.ts";

/** How the caller stands with the daily quota. */
export interface Quota {
  /** free, basic or pro; undefined before the service told. */
  readonly tier: string | undefined;
  /** Recommendations left until `resetAt`; undefined where there is no limit. */
  readonly remaining: number | undefined;
  /** Recommendations a day, where it is told. */
  readonly limit: number | undefined;
  readonly resetAt: Date | undefined;
}

export const quota = signal<Quota>({ tier: undefined, remaining: undefined, limit: undefined, resetAt: undefined });

/** Takes what GetUsage tells. */
export function setUsage({ tier, used, remaining, reset }: GetUsageResponse): void {
  const limit = remaining === undefined ? undefined : used + remaining;
  quota.value = { tier, remaining, limit, resetAt: reset && timestampDate(reset) };
}

/** Reads the RateLimit headers of every answer, refusals too. */
export const quotaInterceptor: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    takeHeaders(response.header);
    return response;
  } catch (error) {
    // Over gRPC-Web and Connect alike, headers and trailers of a refusal are the error's metadata.
    if (error instanceof ConnectError) {
      takeHeaders(error.metadata);
    }
    throw error;
  }
};

function takeHeaders(headers: Headers): void {
  const told = readRateLimit(headers, "daily");
  if (told === undefined) {
    return;
  }
  const { limit = quota.value.limit, remaining, resetSeconds } = told;
  quota.value = { ...quota.value, limit, remaining, resetAt: new Date(Date.now() + resetSeconds * 1_000) };
}

/** What the RateLimit headers tell of one policy. */
interface RateLimit {
  /** Units in a window, where a policy of that name is told. */
  readonly limit: number | undefined;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/**
 * Reads `RateLimit: "daily";r=9;t=3600` and `RateLimit-Policy: "daily";q=10;w=86400`
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * @returns undefined when the headers tell nothing of the policy.
 */
export function readRateLimit(headers: Headers, policy: string): RateLimit | undefined {
  const limits = parametersOf(headers.get("ratelimit"), policy);
  const remaining = limits?.get("r");
  if (remaining === undefined) {
    return undefined;
  }
  const limit = parametersOf(headers.get("ratelimit-policy"), policy)?.get("q");
  return { limit, remaining, resetSeconds: limits?.get("t") ?? 0 };
}

/** The numeric parameters of one item of a structured list. */
function parametersOf(header: string | null, name: string): ReadonlyMap<string, number> | undefined {
  for (const item of (header ?? "").split(",")) {
    const [key, ...parameters] = item.split(";").map((part) => part.trim());
    if (key !== `"${name}"`) {
      continue;
    }
    return new Map(
      parameters.flatMap((parameter) => {
        const [, k, v] = /^(\w+)=(\d+)$/.exec(parameter) ?? [];
        return k === undefined ? [] : [[k, Number(v)] as const];
      }),
    );
  }
  return undefined;
}
