/** What the RateLimit headers tell of one policy. */
export interface RateLimit {
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
