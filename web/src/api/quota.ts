import { timestampDate } from "@bufbuild/protobuf/wkt";
import { signal } from "@preact/signals";
import { ConnectError, type GetUsageResponse, type Interceptor } from "../../../packages/client/src/index.ts";

/** The caller's daily quota. */
export interface QuotaState {
  /** free, basic or pro; undefined until the first answer. */
  readonly tier: string | undefined;
  /** Recommendations left until `resetAt`; undefined if there is no limit. */
  readonly remaining: number | undefined;
  /** Recommendations per day; undefined if unknown or unlimited. */
  readonly limit: number | undefined;
  readonly resetAt: Date | undefined;
}

export const quota = signal<QuotaState>({
  tier: undefined,
  remaining: undefined,
  limit: undefined,
  resetAt: undefined,
});

/** Sets the quota from an answer of GetUsage. */
export function setUsage({ tier, used, remaining, reset }: GetUsageResponse): void {
  const limit = remaining === undefined ? undefined : used + remaining;
  quota.value = { tier, remaining, limit, resetAt: reset && timestampDate(reset) };
}

/** Reads the RateLimit headers of every answer, also of errors. */
export const quotaInterceptor: Interceptor = (next) => async (request) => {
  try {
    const response = await next(request);
    takeHeaders(response.header);
    return response;
  } catch (error) {
    // In gRPC-Web and Connect, an error's metadata holds the headers and trailers.
    if (error instanceof ConnectError) {
      takeHeaders(error.metadata);
    }
    throw error;
  }
};

function takeHeaders(headers: Headers): void {
  const rateLimit = readRateLimit(headers, "daily");
  if (rateLimit === undefined) {
    return;
  }
  const { limit = quota.value.limit, remaining, resetSeconds } = rateLimit;
  quota.value = { ...quota.value, limit, remaining, resetAt: new Date(Date.now() + resetSeconds * 1_000) };
}

/** One policy in the RateLimit headers. */
interface RateLimit {
  /** Units per window; undefined if the policy header lacks the name. */
  readonly limit: number | undefined;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/**
 * Reads `RateLimit: "daily";r=9;t=3600` and `RateLimit-Policy: "daily";q=10;w=86400`
 * (draft-ietf-httpapi-ratelimit-headers).
 *
 * @returns undefined if the headers lack the policy.
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
