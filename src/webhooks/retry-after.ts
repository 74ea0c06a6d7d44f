/** No endpoint puts off its deliveries for longer than a day by an answer. */
const MOST_MS = 24 * 3600 * 1000;

/**
 * How long an answer's Retry-After asks to wait, in milliseconds, at most a day. Undefined where it asks for nothing.
 *
 * @param now in milliseconds since 1970.
 */
export function retryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  // RFC 9110: seconds, or a date.
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : /^[A-Z][a-z]/.test(text) ? Date.parse(text) - now : NaN;
  return ms > 0 ? Math.min(ms, MOST_MS) : undefined;
}
