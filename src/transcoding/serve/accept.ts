/**
 * The quality of each value in an Accept or Accept-Encoding header (RFC 9110, section 12.4.2), by the value in lower
 * case: 1 without a `q`, NaN for a malformed one. Other parameters are dropped.
 */
export function qualities(header: string): Map<string, number> {
  return new Map(
    header
      .toLowerCase()
      .split(",")
      .map((entry) => {
        const [value = "", ...parameters] = entry.split(";").map((part) => part.trim());
        const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
        return [value, Number(q ?? 1)];
      }),
  );
}
