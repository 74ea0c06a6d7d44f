/**
 * The wait that a Retry-After header asks for: seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @param value the header's value; undefined without the header.
 * @param now in milliseconds since 1970.
 * @returns milliseconds, 0 for a date in the past; undefined for a value that is neither form.
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,10}$/.test(text)) {
    return Number(text) * 1_000;
  }
  // HTTP dates begin with the name of a day. Date.parse also reads numbers such as -5, as years.
  const at = /^[A-Z][a-z]/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
